package dev.mailroom.account;

import java.time.Clock;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;

/**
 * Accounts of people whom an outside issuer signs in: made, or linked by an address that
 * the issuer vouches for, when they are first seen.
 */
@Service
public class Identities {

	private final IdentityStore store;

	private final AccountStore accounts;

	private final SessionStore sessions;

	private final Transactions transactions;

	private final AccountSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	Identities(IdentityStore store, AccountStore accounts, SessionStore sessions, Transactions transactions,
			AccountSettings settings, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.accounts = accounts;
		this.sessions = sessions;
		this.transactions = transactions;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
	}

	/** The account of somebody whose token has been verified; made at the first sight. */
	public Mono<Scope> scopeOf(Identity identity) {
		return known(identity).switchIfEmpty(Mono.defer(() -> settle(identity)))
			// Somebody registered the same address between the look and the insert.
			.retryWhen(Retry.max(1).filter(DataIntegrityViolationException.class::isInstance));
	}

	private Mono<Scope> known(Identity identity) {
		return this.store.find(identity).flatMap((linked) -> {
			Scope scope = Scope.of(linked.accountId());
			EmailAddress email = identity.email();
			return (linked.verified() || email == null) ? Mono.just(scope) : adopt(scope, email).thenReturn(scope);
		});
	}

	/** Its issuer vouches for an address only now; one that is another's stays theirs. */
	private Mono<Void> adopt(Scope scope, EmailAddress email) {
		return this.accounts.byEmail(email)
			.hasElement()
			.flatMap((taken) -> taken ? Mono.empty() : this.transactions.in(scope, this.accounts.adopt(scope, email)));
	}

	private Mono<Scope> settle(Identity identity) {
		EmailAddress email = identity.email();
		Mono<StoredCredentials> holder = (email != null) ? this.accounts.byEmail(email) : Mono.empty();
		return holder.flatMap((it) -> link(it, identity))
			.switchIfEmpty(Mono.defer(() -> provision(identity)))
			.then(this.store.find(identity))
			.map((linked) -> Scope.of(linked.accountId()));
	}

	/**
	 * Links an account that stands. Where its address was never verified, whoever
	 * registered it may be a stranger: their password and sessions do not outlive this.
	 */
	private Mono<Boolean> link(StoredCredentials holder, Identity identity) {
		Scope scope = Scope.of(holder.accountId());
		Mono<Void> claimed = holder.verified() ? Mono.empty()
				: this.accounts.dropPassword(scope)
					.then(this.sessions.endAll(scope))
					.then(this.accounts.verify(scope))
					.then();
		return this.transactions.in(scope, claimed.then(this.store.link(scope, identity)));
	}

	private Mono<Boolean> provision(Identity identity) {
		NewAccount account = account(this.ids.generate(), identity);
		Scope scope = Scope.of(account.accountId());
		return this.transactions.in(scope, this.store.link(scope, identity)
			.flatMap((free) -> free ? this.accounts.add(account) : Mono.just(false)));
	}

	private NewAccount account(UUID id, Identity identity) {
		EmailAddress email = identity.email();
		return (email != null)
				? NewAccount.tenant(id, email, identity.name(), null, this.settings.defaultPlan(), this.clock.instant())
					.verified()
				: new NewAccount(id, "", "identity:" + id, identity.name(), null, null, this.settings.defaultPlan(),
						"tenant", this.clock.instant());
	}

}
