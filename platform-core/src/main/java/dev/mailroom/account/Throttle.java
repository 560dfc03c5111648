package dev.mailroom.account;

import java.time.Duration;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Ten times in a quarter of an hour, then no more, counted by address and alike for those
 * that nobody has. It stands in the database, so that every instance counts together.
 */
@Component
class Throttle {

	static final int MOST = 10;

	static final Duration WINDOW = Duration.ofMinutes(15);

	private static final String FAILURE = "sign_in";

	private static final String LETTER = "letter";

	private final ThrottleStore store;

	private final ThrottleSettings settings;

	Throttle(ThrottleStore store, ThrottleSettings settings) {
		this.store = store;
		this.settings = settings;
	}

	/** Refuses an address that has failed too often; otherwise empty. */
	Mono<Void> admit(EmailAddress address) {
		return this.settings.enabled() ? this.store.wait(FAILURE, key(address)).flatMap((wait) -> tooOften(wait))
				: Mono.empty();
	}

	/**
	 * Counts a failure. Past the tenth it is not told from a success: guesses that were
	 * under way together learn no more than guesses one after the other.
	 * @param answer what the failure is answered with
	 */
	<T> Mono<T> failed(EmailAddress address, Refused answer) {
		if (!this.settings.enabled()) {
			return Mono.error(answer);
		}
		return this.store.count(FAILURE, key(address))
			.flatMap((counted) -> counted ? Mono.<T>error(answer) : admit(address).then(Mono.<T>error(answer)));
	}

	/** Whether one more mail may go to this address; if so, it is counted. */
	Mono<Boolean> mayWrite(EmailAddress address) {
		return this.settings.enabled() ? this.store.count(LETTER, key(address)) : Mono.just(true);
	}

	/** Forgets failures: the owner has come in by another door. */
	Mono<Void> forget(EmailAddress address) {
		return this.store.forget(FAILURE, key(address));
	}

	private static Mono<Void> tooOften(Duration wait) {
		return Mono.error(AccountRefusals.THROTTLED
			.because("Too many failed attempts for this address. Wait, or reset the password.")
			.retryAfter(wait));
	}

	private static byte[] key(EmailAddress address) {
		return Secret.sha256(address.key());
	}

}
