package dev.mailroom.operator;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Authorizes operators. */
@Service
public class Operators {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final Accounts accounts;

	Operators(Accounts accounts) {
		this.accounts = accounts;
	}

	/**
	 * Authorizes a person whose account has the role and the second factor that it needs.
	 * Both are read from the database, not from the credential.
	 * @throws dev.mailroom.Refused {@code Forbidden}
	 */
	public Mono<Operator> authorize(Scope scope) {
		return this.accounts.findOperator(scope)
			.filter((Account _) -> scope.apiKey() == null)
			.map((Account _) -> new Operator(scope))
			.switchIfEmpty(Mono.error(() -> FORBIDDEN.because("Only operators may use this")));
	}

}
