package dev.mailroom.account;

import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Sets up and removes the second factor of a person who is signed in. */
@Service
public class SecondFactorSetup {

	private final AccountStore store;

	private final SecondFactors factors;

	private final PasswordVerifier verifier;

	private final Transactions transactions;

	private final AccountSettings settings;

	SecondFactorSetup(AccountStore store, SecondFactors factors, PasswordVerifier verifier, Transactions transactions,
			AccountSettings settings) {
		this.store = store;
		this.factors = factors;
		this.verifier = verifier;
		this.transactions = transactions;
		this.settings = settings;
	}

	/**
	 * Generates a secret for an authenticator app. Signing in requires it after
	 * {@link #confirm}.
	 * @throws dev.mailroom.Refused {@code Second factor active}
	 */
	public Mono<SecondFactors.Enrolment> begin(Scope person) {
		return this.transactions.in(person, this.store.find(person))
			.flatMap((account) -> this.factors.begin(person, account.email()));
	}

	/**
	 * Confirms the secret with a code of the app.
	 * @return the recovery codes, which are not readable later
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the code is wrong
	 */
	public Mono<List<String>> confirm(Scope person, @Nullable Secret code) {
		return Mono.fromCallable(() -> FieldReader.requiredToken("code", code))
			.flatMap((entered) -> this.factors.confirm(person, entered));
	}

	/**
	 * Removes the second factor.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the password is wrong,
	 * {@code Forbidden} for an operator who needs one, {@code Second factor not found}
	 */
	public Mono<Void> remove(Scope person, @Nullable Secret password) {
		return Mono.fromCallable(() -> FieldReader.requiredPassword("password", password))
			.flatMap((entered) -> this.transactions.in(person, this.store.credentials(person))
				.flatMap((stored) -> this.verifier.require(stored, entered, AccountRefusals.wrongPassword()))
				.then(this.transactions.in(person, this.store.find(person)))
				.flatMap((account) -> this.settings.requiresSecondFactor(account)
						? Mono.error(AccountRefusals.secondFactorNeeded()) : this.factors.remove(person)));
	}

	/** The state of the second factor. */
	public Mono<SecondFactors.Status> status(Scope person) {
		return this.factors.status(person);
	}

}
