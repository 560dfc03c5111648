package dev.mailroom.account;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;

/**
 * Maps people that an outside issuer has authenticated to accounts. The first request of
 * a person links the account with the address that the issuer verified, or creates one.
 */
@Service
public class Identities {

	private final IdentityStore store;

	private final AccountStore accounts;

	private final AddressProof proof;

	private final Transactions transactions;

	private final Directory directory;

	private final AccountSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	Identities(IdentityStore store, AccountStore accounts, AddressProof proof, Transactions transactions,
			Directory directory, AccountSettings settings, NoArgGenerator ids, Clock clock) {
		this.directory = directory;
		this.store = store;
		this.accounts = accounts;
		this.proof = proof;
		this.transactions = transactions;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Returns the account of an authenticated person, which is created if necessary.
	 * @throws dev.mailroom.Refused for a new account {@code Misdirected} if another cell
	 * has the address, or {@code Service unavailable} without the directory of cells
	 */
	public Mono<Scope> scopeOf(Identity identity) {
		return findLinked(identity).switchIfEmpty(Mono.defer(() -> linkOrCreate(identity)))
			// The address was registered between the look-up and the insert.
			.retryWhen(Retry.max(1).filter(DataIntegrityViolationException.class::isInstance));
	}

	private Mono<Scope> findLinked(Identity identity) {
		return this.store.find(identity).flatMap((linked) -> {
			Scope scope = Scope.of(linked.accountId());
			EmailAddress email = identity.email();
			return (linked.verified() || email == null) ? Mono.just(scope) : setEmail(scope, email).thenReturn(scope);
		});
	}

	/**
	 * Sets an address that the issuer has verified since, unless another account has
	 * proved control of it.
	 */
	private Mono<Void> setEmail(Scope scope, EmailAddress email) {
		return this.accounts.findByEmail(email)
			.filter(StoredCredentials::verified)
			.hasElement()
			.flatMap((taken) -> taken ? Mono.empty()
					: this.directory.claim(scope.account(), email)
						.then(this.transactions.in(scope,
								this.proof.release(scope, email).then(this.accounts.setVerifiedEmail(scope, email)))));
	}

	private Mono<Scope> linkOrCreate(Identity identity) {
		EmailAddress email = identity.email();
		Mono<StoredCredentials> stored = (email != null) ? this.accounts.findByEmail(email) : Mono.empty();
		return stored.flatMap((account) -> link(account, identity))
			.switchIfEmpty(Mono.defer(() -> create(identity)))
			.then(this.store.find(identity))
			.map((linked) -> Scope.of(linked.accountId()));
	}

	/**
	 * Links an existing account. If its address was not verified, another person may have
	 * registered it: then a new account without a password takes its place.
	 */
	private Mono<Boolean> link(StoredCredentials stored, Identity identity) {
		Scope found = Scope.of(stored.accountId());
		if (stored.verified()) {
			return this.transactions.in(found, this.proof.closeOthers(found).then(this.store.link(found, identity)));
		}
		Scope owner = Scope.of(this.ids.generate());
		Mono<Boolean> replaced = this.proof.replace(found, owner.account(), null).hasElement();
		return claim(owner, identity).then(this.transactions.of(List.of(found.account(), owner.account()),
				this.store.link(owner, identity).flatMap((linked) -> linked ? replaced : Mono.just(false))));
	}

	private Mono<Void> claim(Scope owner, Identity identity) {
		return Mono.justOrEmpty(identity.email()).flatMap((email) -> this.directory.claim(owner.account(), email));
	}

	private Mono<Boolean> create(Identity identity) {
		NewAccount account = newAccount(this.ids.generate(), identity);
		Scope scope = Scope.of(account.accountId());
		return claim(scope, identity).then(this.transactions.in(scope, this.store.link(scope, identity)
			.flatMap((linked) -> linked ? this.accounts.insert(account) : Mono.just(false))));
	}

	private NewAccount newAccount(UUID id, Identity identity) {
		EmailAddress email = identity.email();
		return (email != null)
				? NewAccount.tenant(id, email, identity.name(), null, this.settings.defaultPlan(), this.clock.instant())
					.verified()
				: new NewAccount(id, "", "identity:" + id, identity.name(), null, null, this.settings.defaultPlan(),
						"tenant", this.clock.instant(), null, NewAccount.UTC);
	}

	/**
	 * A person that an outside issuer has authenticated.
	 *
	 * @param issuer identifier of the issuer
	 * @param subject permanent identifier of the person at the issuer
	 * @param email address that the issuer verified; null if there is none
	 * @param name display name; may be empty
	 */
	public record Identity(String issuer, String subject, @Nullable EmailAddress email, String name) {
	}

}
