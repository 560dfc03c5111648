package dev.mailroom.domain;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** The domains that an account sends from. */
@Service
public class Domains {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final List<String> TRANSPORTS = List.of(Domain.DEFAULT, "relay", "mx");

	private static final int TOKEN_BYTES = 16;

	private final DomainStore store;

	private final DkimKeyStore keyStore;

	private final DkimKeys keys;

	private final Records records;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	private final ApplicationEventPublisher publisher;

	Domains(DomainStore store, DkimKeyStore keyStore, DkimKeys keys, Records records, Transactions transactions,
			NoArgGenerator ids, Clock clock, ApplicationEventPublisher publisher) {
		this.store = store;
		this.keyStore = keyStore;
		this.keys = keys;
		this.records = records;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
		this.publisher = publisher;
	}

	/**
	 * Adds a domain, with the keys that will sign its mail.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Domain limit reached} or {@code Duplicate name}
	 */
	public Mono<Domain> create(Scope scope, @Nullable String name) {
		return Mono.defer(() -> {
			DomainName read = DomainName.read(name);
			DomainStore.Row row = row(scope, read.text());
			return this.keys.make(scope.account(), row.id(), row.name(), true)
				.flatMap((made) -> this.transactions.in(scope, insert(scope, row, made)));
		});
	}

	/** The account's domains, newest first. */
	public Mono<Page<Domain>> list(Scope scope, Page.Request page) {
		Mono<Page<Domain>> found = this.store.list(scope, page)
			.concatMap((row) -> whole(scope, row))
			.collectList()
			.flatMap((domains) -> this.store.count(scope).map((total) -> new Page<>(domains, page, total)));
		return this.transactions.in(scope, found);
	}

	/** One of the account's domains. */
	public Mono<Domain> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id).flatMap((row) -> whole(scope, row)))
			.switchIfEmpty(Mono.error(() -> missing(id)));
	}

	/**
	 * A domain that the account may send from: the one of this name where it may, else
	 * its oldest; empty where there is none.
	 */
	public Mono<Domain.Named> sendable(Scope scope, String name) {
		return this.transactions.in(scope, this.store.sendable(scope, name));
	}

	/**
	 * Switches tracking, and chooses how its mail leaves.
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Domain not found}
	 */
	public Mono<Domain> update(Scope scope, UUID id, Domain.Change change) {
		if (change.transport() != null && !TRANSPORTS.contains(change.transport())) {
			return Mono.error(DomainRefusals.invalid("transport", "must be one of " + String.join(", ", TRANSPORTS)));
		}
		return this.transactions
			.in(scope,
					this.store.update(scope, id, change)
						.then(this.store.find(scope, id))
						.flatMap((row) -> whole(scope, row)))
			.switchIfEmpty(Mono.error(() -> missing(id)));
	}

	/** Deletes a domain and revokes its keys. Mails that were sent stay in the log. */
	public Mono<Void> delete(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.filter((count) -> count > 0)
			.switchIfEmpty(Mono.error(() -> missing(id)))
			.doOnNext((_) -> this.publisher.publishEvent(new DomainDeleted(id)))
			.then();
	}

	/**
	 * Makes a new pair of keys: it signs once a verification has found its records, and
	 * then the old pair goes.
	 */
	public Mono<Domain> rotate(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> missing(id)))
			.flatMap((row) -> this.keys.make(scope.account(), id, row.name(), false))
			.flatMap((made) -> this.transactions.in(scope,
					this.keyStore.dropWaiting(scope, id)
						.then(insertKeys(made))
						.then(this.store.find(scope, id))
						.flatMap((row) -> whole(scope, row))));
	}

	/** A domain with its records as they were last seen. Inside a transaction. */
	Mono<Domain> whole(Scope scope, DomainStore.Row row) {
		return this.keyStore.of(scope, row.id()).collectList().map((keys) -> {
			List<DnsRecord> seen = this.records.of(row.name(), row.ownershipToken(), keys)
				.stream()
				.map((record) -> record.seen(row.checks().getOrDefault(record.key(), DnsRecord.Check.PENDING)))
				.toList();
			return new Domain(row.id(), row.accountId(), row.name(), row.status(), seen, row.openTracking(),
					row.clickTracking(), row.transport(), row.requireTls(), row.createdAt(), row.verifiedAt());
		});
	}

	DomainStore.Row row(Scope scope, String name) {
		byte[] token = new byte[TOKEN_BYTES];
		RANDOM.nextBytes(token);
		return new DomainStore.Row(this.ids.generate(), scope.account(), name, "pending",
				HexFormat.of().formatHex(token), Map.of(), false, false, Domain.DEFAULT, false, this.clock.instant(),
				null, null);
	}

	static Map<String, DnsRecord.Check> checks(List<DnsRecord> seen) {
		Map<String, DnsRecord.Check> checks = new HashMap<>();
		seen.forEach((record) -> checks.put(record.key(), new DnsRecord.Check(record.status(), record.error())));
		return checks;
	}

	static RuntimeException missing(UUID id) {
		return DomainRefusals.NOT_FOUND.because("There is no domain " + id);
	}

	private Mono<Domain> insert(Scope scope, DomainStore.Row row, List<DkimKey> made) {
		return this.store.lockAccount(scope)
			.then(this.store.named(scope, row.name()))
			.flatMap((_) -> Mono.<DomainStore.Row>error(() -> duplicate(row.name())))
			.then(Mono.defer(() -> this.store.hasRoom(scope)))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> DomainRefusals.LIMIT
				.because("The plan holds no more domains: delete one, or choose a larger plan")))
			.flatMap((_) -> this.store.insert(scope, row))
			.switchIfEmpty(Mono.error(() -> duplicate(row.name())))
			.then(Mono.defer(() -> insertKeys(made)))
			.then(Mono.defer(() -> whole(scope, row)));
	}

	private Mono<Void> insertKeys(List<DkimKey> made) {
		return Flux.fromIterable(made).concatMap(this.keyStore::insert).then();
	}

	private static RuntimeException duplicate(String name) {
		return DomainRefusals.DUPLICATE.because("This account has the domain " + name + " already");
	}

}
