package dev.mailroom.account;

import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Makes and redeems the tokens in links: each is good once, for one purpose. */
@Component
class OneTimeTokens {

	private final OneTimeTokenStore store;

	private final Transactions transactions;

	OneTimeTokens(OneTimeTokenStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** A new token; those issued before stay good, for mails arrive in any order. */
	Mono<Secret> issue(UUID account, Purpose purpose) {
		Secret token = Secret.random();
		Scope scope = Scope.of(account);
		return this.transactions.in(scope, this.store.add(scope, token.hash(), purpose)).thenReturn(token);
	}

	/** Refuses a token that would not be good; a look ahead of costly work. */
	Mono<Void> check(Secret token, Purpose purpose) {
		return account(token, purpose).then();
	}

	/**
	 * Uses a token up and does what it is good for, both or neither. All others of the
	 * same purpose go with it.
	 */
	<T> Mono<T> redeem(Secret token, Purpose purpose, Function<Scope, Mono<T>> work) {
		return account(token, purpose).map(Scope::of)
			.flatMap((scope) -> this.transactions.in(scope,
					this.store.take(scope, token.hash(), purpose)
						.flatMap((taken) -> taken ? this.store.drop(scope, purpose).then(work.apply(scope))
								: Mono.error(AccountRefusals.badLink()))));
	}

	private Mono<UUID> account(Secret token, Purpose purpose) {
		return this.store.account(token.hash(), purpose).switchIfEmpty(Mono.error(AccountRefusals::badLink));
	}

}
