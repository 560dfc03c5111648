package dev.mailroom.account;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Issues and redeems the tokens of links in mails. Each is valid once, for one purpose.
 */
@Service
public class OneTimeTokens {

	private final OneTimeTokenStore store;

	private final Throttle throttle;

	private final Transactions transactions;

	OneTimeTokens(OneTimeTokenStore store, Throttle throttle, Transactions transactions) {
		this.store = store;
		this.throttle = throttle;
		this.transactions = transactions;
	}

	/**
	 * Issues a token. Earlier tokens stay valid, because mails may arrive in any order.
	 */
	public Mono<Secret> issue(UUID account, Purpose purpose) {
		Secret token = Secret.random();
		Scope scope = Scope.of(account);
		return this.transactions.in(scope, this.store.insert(scope, token.hash(), purpose)).thenReturn(token);
	}

	/**
	 * Checks a token without using it, before expensive work.
	 * @return the account that it was issued for
	 * @throws Refused {@code Invalid request data} if it is not valid
	 */
	public Mono<Scope> check(Secret token, Purpose purpose) {
		return account(token, purpose).map(Scope::of);
	}

	/**
	 * Uses a token and runs the work that it permits, in one transaction. The account's
	 * other tokens of the same purpose become invalid.
	 * @param owner id of an account that the work may create
	 * @throws Refused {@code Invalid request data} if it is not valid
	 */
	public <T> Mono<T> redeem(Secret token, Purpose purpose, UUID owner, Function<Scope, Mono<T>> work) {
		return check(token, purpose).flatMap((scope) -> this.transactions.of(List.of(scope.account(), owner),
				this.store.delete(scope, token.hash(), purpose)
					.flatMap((deleted) -> deleted ? this.store.deleteAll(scope, purpose).then(work.apply(scope))
							: Mono.error(invalid()))));
	}

	/** Makes all tokens of an account for one purpose invalid. */
	public Mono<Void> revoke(Scope scope, Purpose purpose) {
		return this.transactions.in(scope, this.store.deleteAll(scope, purpose));
	}

	private Mono<UUID> account(Secret token, Purpose purpose) {
		return this.throttle.lookUp(this.store.findAccount(token.hash(), purpose))
			.switchIfEmpty(Mono.error(OneTimeTokens::invalid));
	}

	/** The message is the same for unknown, used and expired tokens. */
	private static Refused invalid() {
		return Refusal.INVALID_REQUEST.because(
				"The link is unknown, used or expired: ask for a new mail and use the link in it.",
				List.of(new Refusal.Detail("token", "is unknown, used or expired")));
	}

	/** Purposes of one-time tokens, with their lifetimes. */
	public enum Purpose {

		/** Shows that the account's owner receives mail at its address. */
		VERIFY_EMAIL(Duration.ofDays(1)),
		/** Permits a new password. */
		RESET_PASSWORD(Duration.ofHours(1));

		private final Duration lifetime;

		Purpose(Duration lifetime) {
			this.lifetime = lifetime;
		}

		Duration lifetime() {
			return this.lifetime;
		}

		/** The value in the database. */
		String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
