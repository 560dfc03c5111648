package dev.mailroom.domain;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import dev.mailroom.event.Kind;
import reactor.core.publisher.Mono;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** Looks whether DNS has a domain's records, and says what that makes of it. */
@Service
public class Verification {

	private final DomainStore store;

	private final DkimKeyStore keys;

	private final Domains domains;

	private final Records records;

	private final Transactions transactions;

	private final Events events;

	private final DomainSettings settings;

	private final Clock clock;

	Verification(DomainStore store, DkimKeyStore keys, Domains domains, Records records, Transactions transactions,
			Events events, DomainSettings settings, Clock clock) {
		this.store = store;
		this.keys = keys;
		this.domains = domains;
		this.records = records;
		this.transactions = transactions;
		this.events = events;
		this.settings = settings;
		this.clock = clock;
	}

	/** Looks now. A name that another account has verified stays pending. */
	public Mono<Domain> verify(Scope scope, UUID id) {
		Mono<Known> known = this.store.find(scope, id)
			.flatMap((row) -> this.keys.of(scope, id).collectList().map((keys) -> new Known(row, keys)));
		return this.transactions.in(scope, known)
			.switchIfEmpty(Mono.error(() -> Domains.missing(id)))
			.flatMap((it) -> look(it).flatMap((seen) -> keep(scope, it, seen)));
	}

	/** Outside any transaction: name servers may take their time. */
	private Mono<List<DnsRecord>> look(Known known) {
		List<DnsRecord> wanted = this.records.of(known.row().name(), known.row().ownershipToken(), known.keys());
		boolean free = this.settings.reservedNames() && DomainName.isReserved(known.row().name());
		return free ? Mono.just(wanted.stream().map((record) -> record.seen(DnsRecord.Check.VERIFIED)).toList())
				: this.records.look(wanted);
	}

	private Mono<Domain> keep(Scope scope, Known known, List<DnsRecord> seen) {
		UUID id = known.row().id();
		Mono<Domain> kept = this.store.lock(scope, id)
			.flatMap((before) -> judge(scope, before, known.keys(), seen))
			.switchIfEmpty(Mono.error(() -> Domains.missing(id)));
		return this.transactions.in(scope, kept)
			.onErrorResume(DuplicateKeyException.class, (_) -> taken(scope, known, seen));
	}

	/** By what it is now: another look may have been kept meanwhile. */
	private Mono<Domain> judge(Scope scope, DomainStore.Row before, List<DkimKey> keys, List<DnsRecord> seen) {
		String status = RecordsCheck.status(before, seen, keys, this.clock, this.settings.domainGrace());
		return this.store.looked(scope, before.id(), look(status, seen, RecordsCheck.missing(seen, keys)))
			.then(Mono.defer(() -> takeOver(scope, before.id(), RecordsCheck.takingOver(seen, keys))))
			.then(Mono.defer(() -> this.store.find(scope, before.id())))
			.flatMap((row) -> this.domains.whole(scope, row))
			.delayUntil((domain) -> this.events.record(told(before.status(), domain)));
	}

	/** The next look is spread, or all domains of one hour stay together for ever. */
	private DomainStore.Look look(String status, List<DnsRecord> seen, boolean missing) {
		double spread = ThreadLocalRandom.current().nextDouble(0.9, 1.1);
		Duration again = Duration.ofMillis((long) (this.settings.domainRecheck().toMillis() * spread));
		return new DomainStore.Look(status, Domains.checks(seen), missing, again);
	}

	private Mono<Void> takeOver(Scope scope, UUID id, List<String> selectors) {
		return selectors.isEmpty() ? Mono.empty() : this.keys.activate(scope, id, selectors.toArray(String[]::new));
	}

	private Mono<Domain> taken(Scope scope, Known known, List<DnsRecord> seen) {
		DnsRecord.Check taken = new DnsRecord.Check("failed",
				"This name is verified for another account; it can be verified here once it is deleted there");
		List<DnsRecord> shown = seen.stream()
			.map((record) -> record.purpose().equals("ownership") ? record.seen(taken) : record)
			.toList();
		Mono<Domain> kept = this.store.looked(scope, known.row().id(), look("pending", shown, false))
			.then(Mono.defer(() -> this.store.find(scope, known.row().id())))
			.flatMap((row) -> this.domains.whole(scope, row));
		return this.transactions.in(scope, kept);
	}

	/** A failing that ends within its grace was never told to have begun. */
	private static List<Event> told(String before, Domain domain) {
		return switch (domain.status()) {
			case "failed" -> before.equals("failed") ? List.of() : List.of(domain.event(Kind.DOMAIN_FAILED));
			case "verified" -> (before.equals("pending") || before.equals("failed"))
					? List.of(domain.event(Kind.DOMAIN_VERIFIED)) : List.of();
			default -> List.of();
		};
	}

	private record Known(DomainStore.Row row, List<DkimKey> keys) {
	}

}
