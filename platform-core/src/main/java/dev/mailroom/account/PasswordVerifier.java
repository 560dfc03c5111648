package dev.mailroom.account;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.account.OneTimeTokens.Purpose;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Verifies passwords, limited by the throttle, and replaces them. */
@Component
class PasswordVerifier {

	/** In place of the account of an unknown address. */
	private static final UUID NO_ACCOUNT = new UUID(0, 0);

	private final AccountStore accounts;

	private final Sessions sessions;

	private final OneTimeTokens tokens;

	private final Passwords passwords;

	private final Throttle throttle;

	private final Transactions transactions;

	private final Audits audits;

	PasswordVerifier(AccountStore accounts, Sessions sessions, OneTimeTokens tokens, Passwords passwords,
			Throttle throttle, Transactions transactions, Audits audits) {
		this.accounts = accounts;
		this.sessions = sessions;
		this.tokens = tokens;
		this.passwords = passwords;
		this.throttle = throttle;
		this.transactions = transactions;
		this.audits = audits;
	}

	/**
	 * Verifies a password.
	 * @param hash null for an account without a password and for an unknown address: the
	 * result is false, after the same work
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} after too many failures,
	 * also for the right password
	 */
	Mono<Boolean> matches(EmailAddress address, Secret password, @Nullable String hash) {
		return this.throttle.requireFewFailures(address)
			.then(this.passwords.matches(password, hash))
			.flatMap((matches) -> matches ? this.throttle.requireFewFailures(address).thenReturn(true)
					: Mono.just(false));
	}

	/**
	 * Finds the account of an address that has a password: the first one, or else a
	 * second registration. The work is the same whatever exists.
	 * @param first the account that has the address; null if there is none
	 * @return empty if the password is wrong
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} after too many failures,
	 * also for the right password
	 */
	Mono<StoredCredentials> identify(EmailAddress address, Secret password, @Nullable StoredCredentials first) {
		UUID id = (first != null) ? first.accountId() : NO_ACCOUNT;
		return this.throttle.requireFewFailures(address)
			.then(this.passwords.compare(password, (first != null) ? first.passwordHash() : null, id))
			.flatMap((compared) -> this.accounts.findSecond(id, compared.hash())
				.filter((_) -> !compared.matches())
				.switchIfEmpty(Mono.justOrEmpty(compared.matches() ? first : null)))
			.delayUntil((_) -> this.throttle.requireFewFailures(address));
	}

	/** Records the network of an owner. */
	Mono<Void> succeeded(EmailAddress address) {
		return this.throttle.succeeded(address);
	}

	/**
	 * Counts a sign-in with a wrong address or password.
	 * @return the error {@code Unauthorized}, or {@code Rate limit exceeded}
	 */
	<T> Mono<T> failed(EmailAddress address) {
		return this.throttle.countFailure(address, AccountRefusals.wrongCredentials());
	}

	/**
	 * Sets another password if the current one is right, and ends all sessions. The
	 * passwords of accounts that are not verified are limited by their address: each is
	 * compared at the next sign-in with that of another account, which may have it.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it is wrong, {@code
	 * Rate limit exceeded} after too many failures or passwords
	 */
	Mono<Void> change(Scope scope, Secret current, Secret next) {
		return this.transactions.in(scope, this.accounts.credentials(scope))
			.flatMap((stored) -> require(stored, current, AccountRefusals.wrongCurrentPassword())
				.then(stored.verified() ? Mono.empty() : countPassword(stored))
				.then(Mono.defer(() -> hash(stored, next)))
				.flatMap((hash) -> this.transactions.in(scope,
						replace(scope, hash).then(stored.verified() ? closeOthers(scope) : Mono.empty()))));
	}

	private Mono<Void> countPassword(StoredCredentials stored) {
		return Mono.justOrEmpty(EmailAddress.parse(stored.email())).flatMap(this.throttle::countPassword);
	}

	private Mono<String> hash(StoredCredentials stored, Secret password) {
		UUID first = stored.secondOf();
		return (first != null) ? this.passwords.hash(password, first) : this.passwords.hash(password);
	}

	/**
	 * Marks an account's address as verified and closes other registrations of it, inside
	 * a transaction.
	 */
	Mono<Account> verify(Scope scope) {
		return closeOthers(scope).then(this.accounts.verify(scope));
	}

	/**
	 * Closes the second registrations of an account's address, inside a transaction:
	 * their passwords are removed and their sessions end.
	 */
	Mono<Void> closeOthers(Scope scope) {
		return this.accounts.closeOthers(scope)
			.filter((count) -> count > 0)
			.flatMap((count) -> this.audits.record(scope, Act.REGISTRATIONS_CLOSED, "",
					Map.of("count", Long.toString(count))));
	}

	/**
	 * Verifies the password of an account, and counts a failure.
	 * @param wrong the error if it is wrong
	 */
	Mono<Void> require(StoredCredentials stored, Secret password, Refused wrong) {
		return Mono.justOrEmpty(EmailAddress.parse(stored.email()))
			.switchIfEmpty(Mono.error(wrong))
			.flatMap((address) -> matches(address, password, stored.passwordHash())
				.flatMap((matches) -> matches ? Mono.empty() : this.throttle.countFailure(address, wrong)));
	}

	/**
	 * Sets a password, ends all sessions and sign-ins that wait for a second factor, and
	 * revokes the links that would replace it, inside a transaction.
	 */
	Mono<Void> replace(Scope scope, String hash) {
		return this.accounts.setPassword(scope, hash)
			.then(this.sessions.endAll(scope))
			.then(this.tokens.revoke(scope, Purpose.RESET_PASSWORD))
			.then(Mono.defer(() -> this.audits.record(scope, Act.PASSWORD_CHANGED, "", Map.of())));
	}

}
