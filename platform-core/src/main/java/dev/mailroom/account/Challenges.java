package dev.mailroom.account;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Sign-ins that wait for a second factor. A challenge proves that the password was right;
 * it is valid for a few minutes and codes, and once.
 */
@Service
public class Challenges {

	/** Name of the challenge in the response to a sign-in. */
	public static final String NAME = "challenge";

	private static final Refusal REQUIRED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Second factor required");

	private static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	private static final Duration LIFETIME = Duration.ofMinutes(5);

	private static final int MAX_ATTEMPTS = 5;

	private final SecondFactorStore store;

	private final SecondFactors factors;

	private final Throttle throttle;

	private final Transactions transactions;

	Challenges(SecondFactorStore store, SecondFactors factors, Throttle throttle, Transactions transactions) {
		this.store = store;
		this.factors = factors;
		this.throttle = throttle;
		this.transactions = transactions;
	}

	/** Whether the sign-in of a person needs a second step. */
	Mono<Boolean> areRequired(Scope person) {
		return this.factors.isActive(person);
	}

	/** Issues a challenge. Joins the caller's transaction. */
	public Mono<Secret> issue(Scope person) {
		Secret challenge = Secret.random();
		return this.transactions.in(person, this.store.insertChallenge(person, challenge.hash(), LIFETIME))
			.thenReturn(challenge);
	}

	/** The refusal of a sign-in whose second factor is missing. */
	public static Refused required(Secret challenge) {
		return REQUIRED.because("Send the code of the authenticator app, or a recovery code, with this challenge.")
			.with(Map.of(NAME, challenge.text()));
	}

	/**
	 * Uses a code and runs the work that it permits, in one transaction. Codes are
	 * counted before they are compared: concurrent guesses do not exceed the limits.
	 * @throws Refused {@code Unauthorized} if the code is wrong or was used, {@code
	 * Invalid request data} if the challenge is not valid, {@code Rate limit exceeded}
	 * after too many codes of the account
	 */
	public <T> Mono<T> complete(Secret challenge, Secret code, Function<Scope, Mono<T>> work) {
		byte[] hash = challenge.hash();
		return this.throttle.lookUp(this.store.findChallenge(hash))
			.map(Scope::of)
			.filterWhen((person) -> this.transactions.in(person, this.store.countAttempt(person, hash, MAX_ATTEMPTS)))
			.switchIfEmpty(Mono.error(Challenges::invalid))
			.delayUntil((person) -> this.throttle.countCode(person.account()))
			.flatMap((person) -> this.transactions
				.in(person, use(person, hash, code).then(Mono.defer(() -> work.apply(person))))
				.delayUntil((_) -> this.throttle.clearCodes(person.account())));
	}

	/** The challenge is deleted first: a concurrent request with it fails. */
	private Mono<Void> use(Scope person, byte[] hash, Secret code) {
		return this.store.deleteChallenge(person, hash)
			.flatMap((deleted) -> deleted ? this.factors.use(person, code) : Mono.error(invalid()))
			.flatMap((valid) -> valid ? Mono.empty()
					: Mono.error(UNAUTHORIZED.because("The code is wrong, or it was used before.")));
	}

	private static Refused invalid() {
		return Refusal.INVALID_REQUEST.because("The challenge is unknown, used or expired: sign in again.",
				List.of(new Refusal.Detail(NAME, "is unknown, used or expired")));
	}

}
