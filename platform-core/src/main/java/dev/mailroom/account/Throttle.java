package dev.mailroom.account;

import java.time.Duration;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.token.Secret;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Limits failed sign-ins and account mails to ten per address in 15 minutes, whether or
 * not the address has an account. The counts are stored in the database, so that they
 * hold for all instances together.
 */
@Component
class Throttle {

	static final int LIMIT = 10;

	static final Duration WINDOW = Duration.ofMinutes(15);

	private static final String FAILURE = "sign_in";

	private static final String MAIL = "letter";

	private final ThrottleStore store;

	private final Settings settings;

	Throttle(ThrottleStore store, Settings settings) {
		this.store = store;
		this.settings = settings;
	}

	/**
	 * Checks that an address is below the limit of failures.
	 * @throws Refused {@code Rate limit exceeded} if it is not
	 */
	Mono<Void> requireFewFailures(EmailAddress address) {
		return this.settings.enabled()
				? this.store.timeToWait(FAILURE, key(address)).flatMap((wait) -> tooManyFailures(wait)) : Mono.empty();
	}

	/**
	 * Counts a failure. Above the limit the error is the same as for a success, so that
	 * concurrent guesses reveal no more than sequential ones.
	 * @param error the error below the limit
	 */
	<T> Mono<T> countFailure(EmailAddress address, Refused error) {
		if (!this.settings.enabled()) {
			return Mono.error(error);
		}
		return this.store.count(FAILURE, key(address))
			.flatMap((counted) -> counted ? Mono.<T>error(error)
					: requireFewFailures(address).then(Mono.<T>error(error)));
	}

	/**
	 * Counts a mail to an address.
	 * @return false if the limit is reached and the mail must not be sent
	 */
	Mono<Boolean> countMail(EmailAddress address) {
		return this.settings.enabled() ? this.store.count(MAIL, key(address)) : Mono.just(true);
	}

	/** Clears the failures of an address, after its owner has set a new password. */
	Mono<Void> clearFailures(EmailAddress address) {
		return this.store.delete(FAILURE, key(address));
	}

	private static Mono<Void> tooManyFailures(Duration wait) {
		return Mono.error(AccountRefusals.THROTTLED
			.because("Too many failed attempts for this address. Wait, or reset the password.")
			.retryAfter(wait));
	}

	private static byte[] key(EmailAddress address) {
		return Secret.of(address.key()).hash();
	}

	/**
	 * Settings of the throttle.
	 *
	 * @param enabled false for benchmarks and load tests
	 */
	@ConfigurationProperties("mailroom.rate-limit")
	record Settings(@DefaultValue("true") boolean enabled) {
	}

}
