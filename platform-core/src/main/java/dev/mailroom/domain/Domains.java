package dev.mailroom.domain;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** Creates, reads, changes and deletes the sending domains of accounts. */
@Service
public class Domains {

	private final DomainStore store;

	private final DkimKeyStore keyStore;

	private final DkimKeys keys;

	private final Records records;

	private final Transactions transactions;

	private final Audits audits;

	private final Directory directory;

	private final DomainSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	private final ApplicationEventPublisher publisher;

	Domains(DomainStore store, DkimKeyStore keyStore, DkimKeys keys, Records records, Transactions transactions,
			Audits audits, Directory directory, DomainSettings settings, NoArgGenerator ids, Clock clock,
			ApplicationEventPublisher publisher) {
		this.directory = directory;
		this.store = store;
		this.keyStore = keyStore;
		this.keys = keys;
		this.records = records;
		this.transactions = transactions;
		this.audits = audits;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
		this.publisher = publisher;
	}

	/**
	 * Creates a domain and its DKIM keys.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Domain limit reached} or {@code Duplicate name}
	 */
	public Mono<Domain> create(Scope scope, @Nullable String name) {
		return prepare(scope, name).flatMap((prepared) -> create(scope, prepared));
	}

	/**
	 * Prepares a domain: generates its keys, unless it would be refused. To be called
	 * outside of transactions, because generating a key takes long.
	 * @throws dev.mailroom.Refused as {@link #create(Scope, String)}
	 */
	public Mono<Prepared> prepare(Scope scope, @Nullable String name) {
		return Mono.defer(() -> {
			DomainStore.Row row = newRow(scope, DomainName.parse(name));
			return this.transactions.in(scope, requirePermitted(scope, row.name()).thenReturn(true))
				.flatMap((_) -> this.keys.generate(scope.account(), row.id(), row.name(), true))
				.map((pair) -> new Prepared(row, pair));
		});
	}

	/**
	 * Creates a prepared domain.
	 * @throws dev.mailroom.Refused {@code Domain limit reached} or {@code Duplicate name}
	 */
	public Mono<Domain> create(Scope scope, Prepared prepared) {
		return this.transactions.in(scope, insert(scope, prepared.row, prepared.pair));
	}

	/** Lists the account's domains, newest first, and counts them. */
	public Mono<Page<Domain>> list(Scope scope, Page.Request page) {
		return this.transactions.list(scope, read(scope, page)
			.flatMap((domains) -> this.store.count(scope).map((total) -> Page.of(domains, page, total))));
	}

	/** The domains of a page, newest first. They are not counted. */
	public Mono<List<Domain>> read(Scope scope, Page.Request page) {
		return this.transactions.list(scope, withRecords(scope, this.store.list(scope, page)));
	}

	/** Those of the account's domains that have these ids, in any order. */
	public Mono<List<Domain>> findAll(Scope scope, Collection<UUID> ids) {
		return this.transactions.in(scope, withRecords(scope, this.store.findAll(scope, ids)));
	}

	/**
	 * Finds one of the account's domains.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Domain> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id).flatMap((row) -> withRecords(scope, row)))
			.switchIfEmpty(Mono.error(() -> DomainRefusals.notFound(id)));
	}

	/** Whether a domain is verified without DNS, which does not have its name. */
	public boolean isOutsideDns(Domain domain) {
		return this.settings.reservedNames() && DomainName.isReserved(domain.name());
	}

	/** Finds the domain with this name, or else the oldest, that may send. */
	public Mono<Domain.Sending> sendable(Scope scope, String name) {
		return this.transactions.in(scope, this.store.sendable(scope, name));
	}

	/**
	 * Changes a domain's settings.
	 * @throws dev.mailroom.Refused {@code Domain not found}, or {@code Forbidden} for a
	 * transport that tenants may not choose
	 */
	public Mono<Domain> update(Scope scope, UUID id, Domain.Change change) {
		if (!this.settings.permits(change.transport())) {
			return Mono.error(DomainRefusals::transport);
		}
		return this.transactions
			.in(scope,
					this.store.update(scope, id, change)
						.then(this.store.find(scope, id))
						.flatMap((row) -> withRecords(scope, row))
						.delayUntil((domain) -> this.audits.record(scope, Act.DOMAIN_CHANGED, id, domain.details())))
			.switchIfEmpty(Mono.error(() -> DomainRefusals.notFound(id)));
	}

	/**
	 * Deletes a domain and revokes its API keys. Sent mail stays in the log.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<String> deleted = this.store.delete(scope, id)
			.delayUntil((name) -> this.audits.record(scope, Act.DOMAIN_DELETED, id, Map.of("name", name)))
			.delayUntil((name) -> this.transactions.afterCommit("The directory of cells still has a deleted domain",
					this.directory.releaseDomain(scope.account(), name)));
		return this.transactions.in(scope, deleted)
			.switchIfEmpty(Mono.error(() -> DomainRefusals.notFound(id)))
			.doOnNext((_) -> this.publisher.publishEvent(new Deleted(id)))
			.then();
	}

	/**
	 * Generates a new pair of DKIM keys. It replaces the active pair as soon as a
	 * verification finds its records.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Domain> rotate(Scope scope, UUID id) {
		return prepareRotation(scope, id).flatMap((prepared) -> rotate(scope, prepared));
	}

	/**
	 * Generates keys for a rotation. To be called outside of transactions.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Prepared> prepareRotation(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> DomainRefusals.notFound(id)))
			.flatMap((row) -> this.keys.generate(scope.account(), id, row.name(), false)
				.map((pair) -> new Prepared(row, pair)));
	}

	/**
	 * Replaces the keys that are not active yet by prepared ones.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Domain> rotate(Scope scope, Prepared prepared) {
		UUID id = prepared.row.id();
		Mono<Domain> rotated = this.store.lock(scope, id)
			.switchIfEmpty(Mono.error(() -> DomainRefusals.notFound(id)))
			.flatMap((row) -> this.keyStore.deleteInactive(scope, id)
				.then(insertKeys(prepared.pair))
				.then(this.audits.record(scope, Act.DKIM_ROTATED, id, Map.of("name", row.name())))
				.then(Mono.defer(() -> withRecords(scope, row))));
		return this.transactions.in(scope, rotated);
	}

	/** Adds the records and their last checks to a row, inside a transaction. */
	Mono<Domain> withRecords(Scope scope, DomainStore.Row row) {
		return this.keyStore.of(scope, row.id()).collectList().map((keys) -> this.records.domain(row, keys));
	}

	/** Reads the keys of all rows in one query. */
	private Mono<List<Domain>> withRecords(Scope scope, Flux<DomainStore.Row> rows) {
		return rows.collectList()
			.flatMap((domains) -> this.keyStore.of(scope, domains.stream().map(DomainStore.Row::id).toList())
				.collectMultimap(DkimKey::domainId)
				.map((keys) -> domains.stream()
					.map((row) -> this.records.domain(row, List.copyOf(keys.getOrDefault(row.id(), List.of()))))
					.toList()));
	}

	DomainStore.Row newRow(Scope scope, DomainName name) {
		return DomainStore.Row.pending(this.ids.generate(), scope.account(), name.text(), this.clock.instant());
	}

	private Mono<Domain> insert(Scope scope, DomainStore.Row row, List<DkimKey> pair) {
		return this.store.lockAccount(scope)
			.then(Mono.defer(() -> requirePermitted(scope, row.name())))
			.then(Mono.defer(() -> this.store.insert(scope, row)))
			.switchIfEmpty(Mono.error(() -> DomainRefusals.duplicate(row.name())))
			.then(Mono.defer(() -> insertKeys(pair)))
			.then(Mono.defer(() -> this.audits.record(scope, Act.DOMAIN_CREATED, row.id(), Map.of("name", row.name()))))
			.then(Mono.defer(() -> withRecords(scope, row)));
	}

	private Mono<Void> requirePermitted(Scope scope, String name) {
		return this.store.findByName(scope, name)
			.flatMap((_) -> Mono.<DomainStore.Row>error(() -> DomainRefusals.duplicate(name)))
			.then(Mono.defer(() -> this.store.isBelowLimit(scope)))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(DomainRefusals::limit))
			.then();
	}

	private Mono<Void> insertKeys(List<DkimKey> pair) {
		return Flux.fromIterable(pair).concatMap(this.keyStore::insert).then();
	}

	/** A domain with new keys that are not stored yet. */
	public static final class Prepared {

		private final DomainStore.Row row;

		private final List<DkimKey> pair;

		private Prepared(DomainStore.Row row, List<DkimKey> pair) {
			this.row = row;
			this.pair = pair;
		}

	}

	/** Published after the deletion of a domain has been committed. */
	public record Deleted(UUID domain) {
	}

}
