package dev.mailroom.trackingdomain;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.DomainName;
import dev.mailroom.domain.Domains;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Creates, lists and removes the tracking domains of accounts. {@link TrackingWatch}
 * checks them; until a check has reached a name over HTTPS, no mail has it.
 */
@Service
public class TrackingDomains {

	/** Names of an account. */
	static final int MAX_COUNT = 10;

	/** Time for which the links of a removed name still work. */
	static final Duration KEPT = Duration.ofDays(90);

	private final TrackingDomainStore store;

	private final Domains domains;

	private final Transactions transactions;

	private final Audits audits;

	private final TrackingDomainSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	TrackingDomains(TrackingDomainStore store, Domains domains, Transactions transactions, Audits audits,
			TrackingDomainSettings settings, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.domains = domains;
		this.transactions = transactions;
		this.audits = audits;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
	}

	/** Whether this installation offers tracking domains. */
	public boolean isOffered() {
		return this.settings.isConfigured();
	}

	/** URL that links in mails without a tracking domain begin with. */
	public String sharedUrl() {
		return this.settings.publicUrl();
	}

	/** The host to which CNAME records must lead. */
	public String target() {
		return this.settings.trackingHost();
	}

	/**
	 * Creates a name for a sending domain.
	 * @throws dev.mailroom.Refused {@code Invalid request data}, {@code Forbidden},
	 * {@code Domain not found}, {@code Tracking domain limit reached} or
	 * {@code Duplicate name}
	 */
	public Mono<TrackingDomain> create(Scope scope, @Nullable UUID domainId, @Nullable String text) {
		return Mono.defer(() -> {
			if (!isOffered()) {
				throw TrackingDomainRefusals.off();
			}
			if (domainId == null) {
				throw TrackingDomainRefusals.unverified();
			}
			return this.transactions.in(scope, this.domains.find(scope, domainId)
				.flatMap((domain) -> insert(scope, domain, checked(domain, text))));
		});
	}

	/** The name that a text states, if the domain may have it. */
	private String checked(Domain domain, @Nullable String text) {
		if (!domain.status().maySend()) {
			throw TrackingDomainRefusals.unverified();
		}
		String name = DomainName.parse(text).text();
		if (!name.endsWith("." + domain.name())) {
			throw TrackingDomainRefusals.name("must be below the sending domain, such as links." + domain.name());
		}
		if (name.equals(HostedPolicy.PREFIX + domain.name())) {
			throw TrackingDomainRefusals.name("is the name of the domain's policy about TLS");
		}
		if (this.settings.own().contains(name)) {
			throw TrackingDomainRefusals.name("is a name of this platform");
		}
		return name;
	}

	private Mono<TrackingDomain> insert(Scope scope, Domain domain, String name) {
		UUID id = this.ids.generate();
		return this.store.lockAccount(scope)
			.then(Mono.defer(() -> this.store.count(scope)))
			.filter((count) -> count < MAX_COUNT)
			.switchIfEmpty(Mono.error(TrackingDomainRefusals::limit))
			.flatMap((_) -> this.store.insert(scope, id, domain.id(), name, this.clock.instant()))
			.switchIfEmpty(Mono.error(() -> TrackingDomainRefusals.duplicate(name)))
			.then(Mono.defer(() -> this.audits.record(scope, Act.TRACKING_DOMAIN_CREATED, id, Map.of("name", name))))
			.then(Mono.defer(() -> this.store.find(scope, id)));
	}

	/** The account's names, the oldest first. */
	public Mono<List<TrackingDomain>> list(Scope scope) {
		return this.transactions.in(scope, this.store.list(scope).collectList());
	}

	/**
	 * Asks for a check, which begins within seconds.
	 * @return the name as the last check left it
	 * @throws dev.mailroom.Refused {@code Tracking domain not found}
	 */
	public Mono<TrackingDomain> verify(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.checkNow(scope, id).then(this.store.find(scope, id)))
			.switchIfEmpty(Mono.error(() -> TrackingDomainRefusals.missing(id)));
	}

	/**
	 * Removes a name: new mails do not have it, and its links work for 90 more days.
	 * @throws dev.mailroom.Refused {@code Tracking domain not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		return this.transactions
			.in(scope, this.store.remove(scope, id)
				.delayUntil((name) -> this.audits.record(scope, Act.TRACKING_DOMAIN_DELETED, id, Map.of("name", name))))
			.switchIfEmpty(Mono.error(() -> TrackingDomainRefusals.missing(id)))
			.then();
	}

}
