package dev.mailroom.domain;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The domain that the platform's own mail comes from. It is the operator's word that it
 * is theirs.
 */
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

	/** The domain; empty before it was first made. */
	public Mono<Domain> find(UUID platformAccount) {
		Scope scope = Scope.of(platformAccount);
		return this.transactions.in(scope,
				this.store.named(scope, name()).flatMap((row) -> this.domains.whole(scope, row)));
	}

	/**
	 * The domain, verified; made where it is missing. The account must be there: whoever
	 * asks makes it first.
	 */
	public Mono<Domain> ensure(UUID platformAccount) {
		Mono<Domain> found = find(platformAccount);
		return found.switchIfEmpty(Mono.defer(() -> make(Scope.of(platformAccount), name()).then(found)));
	}

	private String name() {
		return DomainName.read(this.settings.platformDomain()).text();
	}

	private Mono<Void> make(Scope scope, String name) {
		DomainStore.Row row = this.domains.row(scope, name);
		return this.keys.make(scope.account(), row.id(), name, true)
			.flatMap((made) -> this.transactions.in(scope,
					this.store.insert(scope, row)
						.flatMapMany((_) -> Flux.fromIterable(made).concatMap(this.keyStore::insert))
						.then(Mono.defer(() -> this.store.named(scope, name)))
						.flatMap((stored) -> this.store.vouchedFor(scope, stored.id()))));
	}

}
