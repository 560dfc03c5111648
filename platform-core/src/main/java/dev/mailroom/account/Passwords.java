package dev.mailroom.account;

import java.text.Normalizer;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.keygen.KeyGenerators;
import org.springframework.stereotype.Component;

/**
 * Hashes and compares passwords with Argon2id, on a few threads of its own: one takes
 * tens of milliseconds and 19 MB, which no event loop has to spare.
 */
@Component
class Passwords implements DisposableBean {

	private static final int SALT = 16;

	private static final int HASH = 32;

	private static final int KIBIBYTES = 19_456;

	private static final int ROUNDS = 2;

	/** How many may wait; more are turned away, for they would time out anyway. */
	private static final int WAITING = 256;

	private final Argon2PasswordEncoder argon2 = new Argon2PasswordEncoder(SALT, HASH, 1, KIBIBYTES, ROUNDS);

	private final Scheduler threads = Schedulers.newBoundedElastic(Runtime.getRuntime().availableProcessors(), WAITING,
			"password", 60, true);

	/** No password's hash: an unknown address takes as long as a wrong password. */
	private final String nobodys = "$argon2id$v=19$m=%d,t=%d,p=1$%s$%s".formatted(KIBIBYTES, ROUNDS, random(SALT),
			random(HASH));

	Mono<String> hash(Secret password) {
		return apart(() -> this.argon2.encode(normal(password)));
	}

	/**
	 * Whether the password is the one that was hashed.
	 * @param hash null where there is none: as slow, and false
	 */
	Mono<Boolean> matches(Secret password, @Nullable String hash) {
		return apart(() -> this.argon2.matches(normal(password), (hash != null) ? hash : this.nobodys));
	}

	private <T> Mono<T> apart(Callable<T> work) {
		return Mono.fromCallable(work)
			.subscribeOn(this.threads)
			.onErrorMap(RejectedExecutionException.class,
					(_) -> AccountRefusals.BUSY.because("Too many people sign in at the moment: try again shortly.")
						.retryAfter(Duration.ofSeconds(2)));
	}

	/** The same for every keyboard: composed and decomposed characters are one. */
	private static String normal(Secret password) {
		return Normalizer.normalize(password.text(), Normalizer.Form.NFKC);
	}

	private static String random(int bytes) {
		return Base64.getEncoder().withoutPadding().encodeToString(KeyGenerators.secureRandom(bytes).generateKey());
	}

	@Override
	public void destroy() {
		this.threads.dispose();
	}

}
