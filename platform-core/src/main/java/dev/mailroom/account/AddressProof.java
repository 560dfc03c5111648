package dev.mailroom.account;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.account.OneTimeTokens.Purpose;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Changes to accounts when a person proves control of their address, or sets a password.
 * Anybody can register an address, so an account whose address was never verified may be
 * a stranger's. Only the person who registered it keeps it, see {@link #verify}. For
 * everybody else it is deleted with all that it owns: the proof gives the address to an
 * account with another id, which no request of the stranger can reach, not even one that
 * is in progress. All methods join the caller's transaction.
 */
@Component
class AddressProof {

	private final AccountStore accounts;

	private final Sessions sessions;

	private final OneTimeTokens tokens;

	private final Audits audits;

	AddressProof(AccountStore accounts, Sessions sessions, OneTimeTokens tokens, Audits audits) {
		this.accounts = accounts;
		this.sessions = sessions;
		this.tokens = tokens;
		this.audits = audits;
	}

	/**
	 * Marks the address of an account as verified by the person who registered it, and
	 * closes other registrations of the address.
	 */
	Mono<Account> verify(Scope scope) {
		return closeOthers(scope).then(this.accounts.verify(scope));
	}

	/** Deletes the second registrations of an account's address. */
	Mono<Void> closeOthers(Scope scope) {
		return this.accounts.closeOthers(scope).flatMap((count) -> record(scope, count));
	}

	/**
	 * Replaces an unverified account by an empty, verified one with the same address. The
	 * transaction must span both.
	 * @param owner id of the new account
	 * @param passwordHash null for an account without a password
	 * @return the new account; empty if the account is verified
	 */
	Mono<Account> replace(Scope stranger, UUID owner, @Nullable String passwordHash) {
		Scope scope = Scope.of(owner);
		return this.accounts.replace(stranger, owner, passwordHash)
			.filter((count) -> count > 0)
			.delayUntil((count) -> record(scope, count))
			.flatMap((_) -> this.accounts.find(scope));
	}

	/**
	 * Deletes the unverified account of an address whose owner is about to sign in to
	 * another account.
	 * @param scope the other account
	 */
	Mono<Void> release(Scope scope, EmailAddress address) {
		return this.accounts.release(address).flatMap((count) -> record(scope, count));
	}

	/**
	 * Sets a password, ends all sessions and sign-ins that wait for a second factor, and
	 * revokes the links that would replace it.
	 */
	Mono<Void> setPassword(Scope scope, String hash) {
		return this.accounts.setPassword(scope, hash)
			.then(this.sessions.endAll(scope))
			.then(this.tokens.revoke(scope, Purpose.RESET_PASSWORD))
			.then(Mono.defer(() -> this.audits.record(scope, Act.PASSWORD_CHANGED, "", Map.of())));
	}

	private Mono<Void> record(Scope scope, long count) {
		return (count > 0)
				? this.audits.record(scope, Act.REGISTRATIONS_CLOSED, "", Map.of("count", Long.toString(count)))
				: Mono.empty();
	}

}
