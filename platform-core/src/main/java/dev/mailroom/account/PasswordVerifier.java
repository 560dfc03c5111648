package dev.mailroom.account;

import java.util.Map;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.token.OneTimeTokens;
import dev.mailroom.token.OneTimeTokens.Purpose;
import dev.mailroom.token.Secret;
import dev.mailroom.token.Sessions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Verifies passwords, limited by the throttle, and replaces them. */
@Component
class PasswordVerifier {

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
	 * Sets another password if the current one is right, and ends all sessions.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it is wrong
	 */
	Mono<Void> change(Scope scope, Secret current, Secret next) {
		return this.transactions.in(scope, this.accounts.credentials(scope)).flatMap((stored) -> {
			EmailAddress address = EmailAddress.parse(stored.email())
				.orElseThrow(AccountRefusals::wrongCurrentPassword);
			return matches(address, current, stored.passwordHash())
				.flatMap((matches) -> matches ? this.passwords.hash(next)
						: this.throttle.countFailure(address, AccountRefusals.wrongCurrentPassword()))
				.flatMap((hash) -> this.transactions.in(scope, replace(scope, hash)));
		});
	}

	/**
	 * Sets a password, ends all sessions and revokes the links that would replace it,
	 * inside a transaction.
	 */
	Mono<Void> replace(Scope scope, String hash) {
		return this.accounts.setPassword(scope, hash)
			.then(this.sessions.endAll(scope))
			.then(this.tokens.revoke(scope, Purpose.RESET_PASSWORD))
			.then(Mono.defer(() -> this.audits.record(scope, Act.PASSWORD_CHANGED, "", Map.of())));
	}

}
