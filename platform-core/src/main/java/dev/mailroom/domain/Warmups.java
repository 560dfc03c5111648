package dev.mailroom.domain;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.DoubleStream;

import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Warm-ups of sending domains. While a domain warms up, the campaign mails of a day (UTC)
 * are limited; the limit grows with each day that has some, and the warm-up ends after
 * the last. Transactional mail is neither limited nor counted, because it is expected by
 * its recipients and must not wait. Exact under concurrency: a page of a campaign locks
 * the counter of its domain until it is committed.
 */
@Service
public class Warmups {

	/**
	 * Mails of each day: 200 on the first, half as many more on each further day, up to
	 * 100 000; then a domain has the reputation that it needs. Providers accept about
	 * twice the volume of the days before.
	 */
	private static final List<Long> PLAN = DoubleStream.iterate(200, (mails) -> mails * 1.5)
		.takeWhile((mails) -> mails <= 100_000)
		.mapToLong(Math::round)
		.boxed()
		.toList();

	private final WarmupStore store;

	private final Domains domains;

	private final Audits audits;

	private final Transactions transactions;

	Warmups(WarmupStore store, Domains domains, Audits audits, Transactions transactions) {
		this.store = store;
		this.domains = domains;
		this.audits = audits;
		this.transactions = transactions;
	}

	/** Mails that a warm-up that starts now permits on each of its days. */
	public List<Long> plan() {
		return PLAN;
	}

	/** The warm-ups of domains that are in progress, by the id of the domain. */
	public Mono<Map<UUID, Warmup>> findAll(Scope scope, Collection<UUID> domains) {
		return this.transactions.in(scope, this.store.findAll(scope, domains).collectMap(Warmup::domainId));
	}

	/**
	 * Starts the warm-up of a domain; one that is in progress continues unchanged. Mails
	 * that are queued already are not counted.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Domain> start(Scope scope, UUID id) {
		List<Long> plan = plan();
		return this.transactions.in(scope,
				this.domains.find(scope, id)
					.delayUntil((domain) -> this.store.start(scope, id, plan)
						.flatMap((_) -> this.audits.record(scope, Act.DOMAIN_WARMUP_STARTED, id,
								Map.of("name", domain.name(), "days", plan.size(), "first_day", plan.getFirst())))));
	}

	/**
	 * Ends the warm-up of a domain, if there is one: its campaigns continue without the
	 * limit at once.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Domain> stop(Scope scope, UUID id) {
		return this.transactions.in(scope,
				this.domains.find(scope, id)
					.delayUntil((domain) -> this.store.stop(scope, id)
						.flatMap((_) -> this.audits.record(scope, Act.DOMAIN_WARMUP_STOPPED, id,
								Map.of("name", domain.name())))));
	}

	/**
	 * Locks the counter of a domain until the transaction ends.
	 * @return campaign mails that may still be created today; {@link Long#MAX_VALUE}
	 * without a limit
	 */
	public long left(JdbcClient jdbc, Scope scope, UUID domain) {
		return this.store.lock(jdbc, scope, domain).map(Warmup::left).orElse(Long.MAX_VALUE);
	}

	/**
	 * Counts campaign mails of today. The caller has locked the counter by {@link #left}
	 * in the same transaction. A page that is rolled back is not counted.
	 */
	public void count(JdbcClient jdbc, Scope scope, UUID domain, long mails) {
		this.store.count(jdbc, scope, domain, mails);
	}

}
