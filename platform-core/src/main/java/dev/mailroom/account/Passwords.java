package dev.mailroom.account;

import java.nio.ByteBuffer;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

import dev.mailroom.ClientNetwork;
import dev.mailroom.Refused;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.keygen.KeyGenerators;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Hashes and compares passwords with Argon2id. A hash takes tens of milliseconds and 19
 * MiB, so it is computed on separate threads, one per processor.
 */
@Component
class Passwords implements DisposableBean {

	private static final int SALT_BYTES = 16;

	private static final int HASH_BYTES = 32;

	/** Requests that may wait for a thread; later ones would time out anyway. */
	private static final int MAX_WAITING = 256;

	/** Requests of one network that may wait. It cannot keep the others out. */
	private static final int MAX_WAITING_EACH = 32;

	private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

	private final PasswordEncoder argon2;

	private final SaltedHash salted;

	/** Requests by network that wait or are being processed. */
	private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

	private final Scheduler threads = Schedulers.newBoundedElastic(Runtime.getRuntime().availableProcessors(),
			MAX_WAITING, "password", 60, true);

	/**
	 * Hash that no password matches: a sign-in with an unknown address takes as long as
	 * with a known one.
	 */
	private final String dummyHash;

	@Autowired
	Passwords() {
		this(Cost.FULL);
	}

	Passwords(Cost cost) {
		this(cost.encoder(), cost::hash, cost);
	}

	/** Creates an instance that hashes by other means. */
	Passwords(PasswordEncoder argon2, SaltedHash salted, Cost cost) {
		this.argon2 = argon2;
		this.salted = salted;
		this.dummyHash = cost.encoded(KeyGenerators.secureRandom(SALT_BYTES).generateKey(),
				KeyGenerators.secureRandom(HASH_BYTES).generateKey());
	}

	/**
	 * Hashes a password.
	 * @throws dev.mailroom.Refused {@code Service unavailable} if too many requests wait
	 */
	Mono<String> hash(Secret password) {
		return onThreads(() -> this.argon2.encode(normalize(password)));
	}

	/**
	 * Hashes the password of a second registration of an address. All of an address have
	 * the same salt, so that one computation finds the one with the password of a
	 * sign-in, however many there are.
	 * @param first the account that had the address before; its id is the salt
	 * @throws dev.mailroom.Refused {@code Service unavailable} if too many requests wait
	 */
	Mono<String> hash(Secret password, UUID first) {
		return onThreads(() -> this.salted.hash(normalize(password), first));
	}

	/**
	 * Compares a password with a hash, and hashes it as that of a second registration.
	 * @param hash null if there is none: the result is false, after the same work
	 * @throws dev.mailroom.Refused {@code Service unavailable} if too many requests wait
	 */
	Mono<Comparison> compare(Secret password, @Nullable String hash, UUID first) {
		return onThreads(() -> {
			String text = normalize(password);
			return new Comparison(this.argon2.matches(text, (hash != null) ? hash : this.dummyHash),
					this.salted.hash(text, first));
		});
	}

	/**
	 * Compares a password with a hash.
	 * @param hash null if there is none: the result is false, after the same work
	 * @throws dev.mailroom.Refused {@code Service unavailable} if too many requests wait
	 */
	Mono<Boolean> matches(Secret password, @Nullable String hash) {
		return onThreads(() -> this.argon2.matches(normalize(password), (hash != null) ? hash : this.dummyHash));
	}

	@Override
	public void destroy() {
		this.threads.dispose();
	}

	private <T> Mono<T> onThreads(Callable<T> work) {
		return ClientNetwork.current().flatMap((network) -> onThreads(network, work));
	}

	private <T> Mono<T> onThreads(String network, Callable<T> work) {
		if (this.waiting.merge(network, 1, Integer::sum) > MAX_WAITING_EACH && !network.isEmpty()) {
			leave(network);
			return Mono.error(Passwords::busy);
		}
		return Mono.fromCallable(work)
			.subscribeOn(this.threads)
			.onErrorMap(RejectedExecutionException.class, (_) -> busy())
			.doFinally((_) -> leave(network));
	}

	private void leave(String network) {
		this.waiting.computeIfPresent(network, (_, count) -> (count > 1) ? count - 1 : null);
	}

	private static Refused busy() {
		return AccountRefusals.BUSY.because("Too many people sign in at the moment: try again shortly.")
			.retryAfter(RETRY_AFTER);
	}

	/**
	 * Keyboards differ in whether they compose characters; NFKC makes both forms equal.
	 */
	private static String normalize(Secret password) {
		return Normalizer.normalize(password.text(), Normalizer.Form.NFKC);
	}

	/** Hashes passwords with a given salt. */
	@FunctionalInterface
	interface SaltedHash {

		String hash(String password, UUID salt);

	}

	/** Memory and iterations of a hash. */
	record Cost(int kibibytes, int iterations) {

		/** The least that OWASP recommends. */
		static final Cost FULL = new Cost(19_456, 2);

		PasswordEncoder encoder() {
			return new Argon2PasswordEncoder(SALT_BYTES, HASH_BYTES, 1, this.kibibytes, this.iterations);
		}

		/** A hash of the same form and cost as those with a random salt. */
		String hash(String password, UUID salt) {
			byte[] bytes = ByteBuffer.allocate(SALT_BYTES)
				.putLong(salt.getMostSignificantBits())
				.putLong(salt.getLeastSignificantBits())
				.array();
			Argon2BytesGenerator generator = new Argon2BytesGenerator();
			generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id).withMemoryAsKB(this.kibibytes)
				.withIterations(this.iterations)
				.withParallelism(1)
				.withSalt(bytes)
				.build());
			byte[] hash = new byte[HASH_BYTES];
			generator.generateBytes(password.toCharArray(), hash);
			return encoded(bytes, hash);
		}

		private String encoded(byte[] salt, byte[] hash) {
			Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
			return "$argon2id$v=19$m=%d,t=%d,p=1$%s$%s".formatted(this.kibibytes, this.iterations,
					base64.encodeToString(salt), base64.encodeToString(hash));
		}

	}

	/**
	 * Result of a comparison.
	 *
	 * @param hash the password hashed as that of a second registration
	 */
	record Comparison(boolean matches, String hash) {
	}

}
