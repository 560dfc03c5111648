package dev.mailroom.account;

import java.util.Map;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.secondfactor.SecondFactors;
import dev.mailroom.throttle.Throttle;
import dev.mailroom.token.OneTimeTokens.Purpose;
import dev.mailroom.token.OneTimeTokens;
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

	private final SecondFactors secondFactors;

	private final Passwords passwords;

	private final Throttle throttle;

	private final Transactions transactions;

	private final Audits audits;

	PasswordVerifier(AccountStore accounts, Sessions sessions, OneTimeTokens tokens, SecondFactors secondFactors,
			Passwords passwords, Throttle throttle, Transactions transactions, Audits audits) {
		this.accounts = accounts;
		this.sessions = sessions;
		this.tokens = tokens;
		this.secondFactors = secondFactors;
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
			return require(stored, current, AccountRefusals.wrongCurrentPassword()).then(this.passwords.hash(next))
				.flatMap((hash) -> this.transactions.in(scope, replace(scope, hash)));
		});
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
	 * revokes the links that would replace it, inside a transaction. The sign-ins end
	 * before the sessions: ending them waits for a second step that is not committed, and
	 * thus the session that it starts is ended too.
	 */
	Mono<Void> replace(Scope scope, String hash) {
		return this.accounts.setPassword(scope, hash)
			.then(this.secondFactors.endChallenges(scope))
			.then(this.sessions.endAll(scope))
			.then(this.tokens.revoke(scope, Purpose.RESET_PASSWORD))
			.then(Mono.defer(() -> this.audits.record(scope, Act.PASSWORD_CHANGED, "", Map.of())));
	}

}
