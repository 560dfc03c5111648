package dev.mailroom.domain;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The domain of the platform's own mail. It is verified by configuration, not by DNS. */
@Service
public class PlatformDomain {

	private final DomainStore store;

	private final DkimKeyStore keyStore;

	private final DkimKeys keys;

	private final Domains domains;

	private final Transactions transactions;

	private final DomainSettings settings;

	PlatformDomain(DomainStore store, DkimKeyStore keyStore, DkimKeys keys, Domains domains, Transactions transactions,
			DomainSettings settings) {
		this.store = store;
		this.keyStore = keyStore;
		this.keys = keys;
		this.domains = domains;
		this.transactions = transactions;
		this.settings = settings;
	}

	/** Finds the domain; empty before it is created. */
	public Mono<Domain> find(UUID platformAccount) {
		Scope scope = Scope.of(platformAccount);
		return this.transactions.in(scope,
				this.store.findByName(scope, name().text()).flatMap((row) -> this.domains.withRecords(scope, row)));
	}

	/** Returns the domain, which is created if it is missing. The account must exist. */
	public Mono<Domain> ensure(UUID platformAccount) {
		Mono<Domain> stored = find(platformAccount);
		return stored.switchIfEmpty(Mono.defer(() -> create(Scope.of(platformAccount)).then(stored)));
	}

	private DomainName name() {
		return DomainName.parse(this.settings.platformDomain());
	}

	private Mono<Void> create(Scope scope) {
		DomainStore.Row row = this.domains.newRow(scope, name());
		return this.keys.generate(scope.account(), row.id(), row.name(), true)
			.flatMap((pair) -> this.transactions.in(scope,
					this.store.insert(scope, row)
						.flatMapMany((_) -> Flux.fromIterable(pair).concatMap(this.keyStore::insert))
						.then(Mono.defer(() -> this.store.findByName(scope, row.name())))
						.flatMap((stored) -> this.store.markVerified(scope, stored.id()))));
	}

}
