package dev.mailroom.domain;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import dev.mailroom.domain.DnsRecord.Check;
import dev.mailroom.domain.DnsRecord.Purpose;
import dev.mailroom.domain.Domain.Status;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** Looks up the DNS records of domains and updates the status of the domains. */
@Service
public class Verification {

	private static final Retry ON_CONFLICT = Retry.max(1).filter(DuplicateKeyException.class::isInstance);

	private final DomainStore store;

	private final DkimKeyStore keys;

	private final Domains domains;

	private final Records records;

	private final Transactions transactions;

	private final Events events;

	private final Directory directory;

	private final DomainSettings settings;

	private final Clock clock;

	Verification(DomainStore store, DkimKeyStore keys, Domains domains, Records records, Transactions transactions,
			Events events, Directory directory, DomainSettings settings, Clock clock) {
		this.directory = directory;
		this.store = store;
		this.keys = keys;
		this.domains = domains;
		this.records = records;
		this.transactions = transactions;
		this.events = events;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Verifies a domain now. If another account's domain of the same name is verified,
	 * the domain stays pending, also if the account is in another cell.
	 * @throws dev.mailroom.Refused {@code Domain not found}, or
	 * {@code Service unavailable} without the directory of cells
	 */
	public Mono<Domain> verify(Scope scope, UUID id) {
		return lookUp(scope, id).flatMap((found) -> save(scope, found).retryWhen(ON_CONFLICT));
	}

	/**
	 * Looks up a domain's records and, if they verify it, claims its name in the
	 * directory of cells. To be called outside of transactions, because both may take
	 * seconds.
	 * @throws dev.mailroom.Refused {@code Domain not found}, or
	 * {@code Service unavailable} without the directory of cells
	 */
	public Mono<Found> lookUp(Scope scope, UUID id) {
		Mono<Stored> stored = this.store.find(scope, id)
			.flatMap((row) -> this.keys.of(scope, id).collectList().map((keys) -> new Stored(row, keys)));
		return this.transactions.in(scope, stored)
			.switchIfEmpty(Mono.error(() -> DomainRefusals.notFound(id)))
			.flatMap((domain) -> lookUp(domain).flatMap((records) -> isElsewhere(scope, domain, records)
				.map((elsewhere) -> new Found(domain, records, elsewhere))));
	}

	private Mono<List<DnsRecord>> lookUp(Stored domain) {
		List<DnsRecord> expected = this.records.of(domain.row().name(), domain.row().ownershipToken(), domain.keys());
		boolean skipped = this.settings.reservedNames() && DomainName.isReserved(domain.row().name());
		return skipped ? Mono.just(expected.stream().map((record) -> record.with(Check.VERIFIED)).toList())
				: this.records.lookUp(expected);
	}

	/**
	 * Whether another cell has a name that would be verified. A domain that may send has
	 * its name in the directory already.
	 */
	private Mono<Boolean> isElsewhere(Scope scope, Stored domain, List<DnsRecord> records) {
		DomainStore.Row row = domain.row();
		Status status = new RecordsCheck(records, domain.keys()).status(row, this.clock.instant(),
				this.settings.domainGrace());
		boolean claimed = row.status() == Status.VERIFIED || row.status() == Status.TEMPORARY_FAILURE;
		return (status == Status.VERIFIED && !claimed)
				? this.directory.claimDomain(scope.account(), row.name()).map((permitted) -> !permitted)
				: Mono.just(false);
	}

	/**
	 * Updates a domain with the results of its lookups. If another account's domain of
	 * the name is verified at the same time, it fails with a
	 * {@link DuplicateKeyException}; a repetition then finds the name taken.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Domain> save(Scope scope, Found found) {
		UUID id = found.domain.row().id();
		Mono<Domain> saved = this.store.lock(scope, id)
			.flatMap((before) -> save(scope, before, found))
			.switchIfEmpty(Mono.error(() -> DomainRefusals.notFound(id)));
		return this.transactions.in(scope, saved);
	}

	/**
	 * The row is read again under its lock, since another verification may have ended.
	 */
	private Mono<Domain> save(Scope scope, DomainStore.Row before, Found found) {
		RecordsCheck check = new RecordsCheck(found.records, found.domain.keys());
		Status status = check.status(before, this.clock.instant(), this.settings.domainGrace());
		Mono<Boolean> taken = (status == Status.VERIFIED && !found.elsewhere) ? this.store.isTaken(scope, before.name())
				: Mono.just(found.elsewhere);
		return taken.flatMap((isTaken) -> isTaken ? saveTaken(scope, before.id(), check.records())
				: save(scope, before, check, status));
	}

	private Mono<Domain> save(Scope scope, DomainStore.Row before, RecordsCheck check, Status status) {
		return this.store.saveResult(scope, before.id(), result(status, check.records(), check.isMissing()))
			.then(Mono.defer(() -> activate(scope, before.id(), check.replacingSelectors())))
			.then(Mono.defer(() -> this.store.find(scope, before.id())))
			.flatMap((row) -> this.domains.withRecords(scope, row))
			.delayUntil((domain) -> this.events.record(events(before.status(), domain)));
	}

	/** The interval varies by 10 %, which spreads the checks. */
	private DomainStore.Result result(Status status, List<DnsRecord> records, boolean missing) {
		double factor = ThreadLocalRandom.current().nextDouble(0.9, 1.1);
		Duration recheckIn = Duration.ofMillis((long) (this.settings.domainRecheck().toMillis() * factor));
		Map<String, Check> checks = records.stream()
			.collect(Collectors.toMap(DnsRecord::key, (record) -> new Check(record.status(), record.error())));
		return new DomainStore.Result(status, checks, missing, recheckIn);
	}

	private Mono<Void> activate(Scope scope, UUID id, List<String> selectors) {
		return selectors.isEmpty() ? Mono.empty() : this.keys.activate(scope, id, selectors.toArray(String[]::new));
	}

	private Mono<Domain> saveTaken(Scope scope, UUID id, List<DnsRecord> records) {
		Check taken = new Check(Status.FAILED,
				"This name is verified for another account; it can be verified here once it is deleted there");
		List<DnsRecord> refused = records.stream()
			.map((record) -> (record.purpose() == Purpose.OWNERSHIP) ? record.with(taken) : record)
			.toList();
		return this.store.saveResult(scope, id, result(Status.PENDING, refused, false))
			.then(Mono.defer(() -> this.store.find(scope, id)))
			.flatMap((row) -> this.domains.withRecords(scope, row));
	}

	/** A failure that ends within the grace period is not reported. */
	private static List<Event> events(Status before, Domain domain) {
		boolean changed = switch (domain.status()) {
			case FAILED -> before != Status.FAILED;
			case VERIFIED -> before == Status.PENDING || before == Status.FAILED;
			case PENDING, TEMPORARY_FAILURE -> false;
		};
		return changed ? List.of(domain.event()) : List.of();
	}

	/** A domain with the results of its lookups, which are not stored yet. */
	public static final class Found {

		private final Stored domain;

		private final List<DnsRecord> records;

		private final boolean elsewhere;

		private Found(Stored domain, List<DnsRecord> records, boolean elsewhere) {
			this.elsewhere = elsewhere;
			this.domain = domain;
			this.records = records;
		}

	}

	private record Stored(DomainStore.Row row, List<DkimKey> keys) {
	}

}
