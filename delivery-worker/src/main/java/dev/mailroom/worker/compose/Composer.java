package dev.mailroom.worker.compose;

import java.io.Serial;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.FairQueue;
import dev.mailroom.domain.SigningKey;
import dev.mailroom.domain.SigningKeys;
import dev.mailroom.mail.draft.Forward;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.observability.Buckets;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Composes and signs the message of a mail, within limits of time and size. The bytes are
 * the same for each attempt, and for all recipients without personal content. Composing
 * has threads of its own, as many as processors: what takes longer than a change of
 * threads does not occupy the threads of all other work.
 */
@Component
public class Composer implements DisposableBean {

	private static final int MAX_CACHED_DOMAINS = 10_000;

	/** Shorter than the time for which a retired key stays in DNS. */
	private static final Duration KEY_TTL = Duration.ofSeconds(60);

	private static final int MAX_TIMED_OUT = 10_000;

	/** Exceeds the longest delay between two attempts. */
	private static final Duration TIMED_OUT_TTL = Duration.ofDays(1);

	private final SigningKeys keys;

	private final RecipientRendering rendering;

	private final PlatformSignature platform;

	private final Duration maxTime;

	private final Threads threads = new Threads(Math.max(2, Runtime.getRuntime().availableProcessors()));

	private final Cache<UUID, List<SigningKey>> cache = Caffeine.newBuilder()
		.maximumSize(MAX_CACHED_DOMAINS)
		.expireAfterWrite(KEY_TTL)
		.build();

	/** Messages that took too long once. */
	private final Cache<UUID, Boolean> timedOut = Caffeine.newBuilder()
		.maximumSize(MAX_TIMED_OUT)
		.expireAfterWrite(TIMED_OUT_TTL)
		.build();

	private final Timer writing;

	private final Timer signing;

	@Autowired
	Composer(SigningKeys keys, RecipientRendering rendering, PlatformSignature platform, MeterRegistry registry) {
		this(keys, rendering, platform, registry, ComposeLimits.MAX_TIME);
	}

	Composer(SigningKeys keys, RecipientRendering rendering, PlatformSignature platform, MeterRegistry registry,
			Duration maxTime) {
		this.keys = keys;
		this.rendering = rendering;
		this.platform = platform;
		this.maxTime = maxTime;
		this.writing = Timer.builder("mailroom.compose")
			.description("Time to compose a message")
			.serviceLevelObjectives(Buckets.QUICK)
			.register(registry);
		this.signing = Timer.builder("mailroom.dkim.sign")
			.description("Time to sign a message with all keys of its domain")
			.serviceLevelObjectives(Buckets.QUICK)
			.register(registry);
	}

	/**
	 * Composes and signs a message, and waits for it. A short message without signatures
	 * is composed on the calling thread.
	 * @param asking whether the platform signs as well and asks for reports
	 * @throws Unrenderable if the mail cannot be composed permanently
	 * @throws Unsigned if the domain's keys cannot be used temporarily
	 */
	public byte[] compose(HandOver handOver, boolean asking) {
		List<SigningKey> own = keys(handOver.domainId());
		@Nullable Forward forward = handOver.mail().forward();
		if (forward != null) {
			return within(handOver, () -> Objects
				.requireNonNull(this.signing.record(() -> ForwardedMessage.of(handOver.mail(), forward, own))));
		}
		Signing keys = (asking && !own.isEmpty())
				? this.platform.of(handOver).map((request) -> new Signing(own, request)).orElse(new Signing(own, null))
				: new Signing(own, null);
		if (own.isEmpty() && !handOver.isPersonal() && ComposeLimits.isShort(handOver.mail())) {
			return guarded(() -> written(handOver, handOver.mail()));
		}
		if (!handOver.isPersonal()) {
			return within(handOver, () -> signed(handOver, handOver.mail(), keys));
		}
		RecipientRendering.PersonalMail personal = within(handOver, () -> this.rendering.of(handOver));
		personal.store();
		return within(handOver, () -> signed(handOver, personal.mail(), keys));
	}

	private byte[] written(HandOver handOver, StoredMail mail) {
		return Objects.requireNonNull(this.writing.record(() -> Mime.write(handOver.emailId(), mail)));
	}

	private byte[] signed(HandOver handOver, StoredMail mail, Signing keys) {
		byte[] message = written(handOver, keys.request() != null ? keys.request().in(mail) : mail);
		return Objects
			.requireNonNull(this.signing.record(() -> Dkim.sign(message, keys.all(), keys.request() != null)));
	}

	/** Whether mail of this transport carries the platform's signature. */
	public boolean asksForReports(String transport) {
		return this.platform.covers(transport);
	}

	/**
	 * Runs a step on one of the threads; the time limit begins when it has one. A step
	 * that takes longer continues on its thread, without an effect.
	 */
	private <T> T within(HandOver handOver, Supplier<T> step) {
		CountDownLatch begun = new CountDownLatch(1);
		FutureTask<T> task = new FutureTask<>(() -> {
			begun.countDown();
			return guarded(step);
		});
		this.threads.execute(handOver.accountId(), task);
		try {
			begun.await();
			return task.get(this.maxTime.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException _) {
			throw ComposeLimits.timeout(this.timedOut.asMap().putIfAbsent(handOver.messageKey(), true) != null);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure
					: new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			task.cancel(false);
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Composing was interrupted", ex);
		}
	}

	/** Maps errors of the virtual machine to exceptions, which have an outcome. */
	private static <T> T guarded(Supplier<T> step) {
		try {
			return step.get();
		}
		catch (StackOverflowError error) {
			throw new Unrenderable("The mail is nested too deeply", error);
		}
		catch (VirtualMachineError | LinkageError error) {
			throw new IllegalStateException("The mail could not be composed now", error);
		}
	}

	private List<SigningKey> keys(UUID domain) {
		@Nullable List<SigningKey> cached = this.cache.getIfPresent(domain);
		if (cached != null) {
			return cached;
		}
		Optional<List<SigningKey>> keys;
		try {
			keys = this.keys.of(domain).map((active) -> active.stream().map(Dkim::convert).toList());
		}
		catch (RuntimeException ex) {
			throw new Unsigned(ex);
		}
		List<SigningKey> found = keys.orElseThrow(() -> new Unrenderable("The sending domain was deleted"));
		this.cache.put(domain, found);
		return found;
	}

	@Override
	public void destroy() {
		this.threads.close();
	}

	/**
	 * Keys of the sending domain, and the platform's request for reports if it makes one.
	 */
	private record Signing(List<SigningKey> own, PlatformSignature.@Nullable Request request) {

		/** All keys; mail of the platform itself is signed once by each of its keys. */
		List<SigningKey> all() {
			if (this.request == null
					|| this.own.stream().anyMatch((key) -> key.domain().equals(this.request.key().domain()))) {
				return this.own;
			}
			return Stream.concat(this.own.stream(), Stream.of(this.request.key())).toList();
		}

	}

	/**
	 * Threads that compose and sign, as many as processors. Accounts take turns: a mail
	 * never waits for all signatures of another account.
	 */
	static final class Threads implements AutoCloseable {

		/**
		 * Steps that may wait for a thread; more than all sender threads together hand
		 * over.
		 */
		private static final int MAX_WAITING = 4096;

		private final ThreadPoolExecutor threads;

		/** By account. */
		private final FairQueue<UUID, Runnable> waiting = new FairQueue<>();

		Threads(int count) {
			this.threads = new ThreadPoolExecutor(count, count, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
					Thread.ofPlatform().name("compose-", 1).daemon().factory());
			this.threads.allowCoreThreadTimeOut(true);
		}

		/** Runs a step of an account when its turn comes. */
		void execute(UUID account, Runnable step) {
			synchronized (this.waiting) {
				if (this.waiting.size() >= MAX_WAITING) {
					throw new RejectedExecutionException(
							"More mails wait to be composed than sender threads can hand over");
				}
				this.waiting.add(account, step);
			}
			this.threads.execute(() -> next().run());
		}

		private Runnable next() {
			synchronized (this.waiting) {
				return Objects.requireNonNull(this.waiting.poll());
			}
		}

		@Override
		public void close() {
			this.threads.shutdown();
		}

	}

	/** The mail cannot be composed; another attempt would fail in the same way. */
	public static final class Unrenderable extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		Unrenderable(String reason, Throwable cause) {
			super(reason, cause);
		}

		Unrenderable(String reason) {
			super(reason);
		}

	}

	/**
	 * The mail could not be signed temporarily. It is not sent without a signature,
	 * because receivers would treat it as forged.
	 */
	public static final class Unsigned extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		Unsigned(Throwable cause) {
			super("The mail could not be signed", cause);
		}

		/**
		 * Outcome of the mail. A key that cannot be used requires an operator; until then
		 * the mail is deferred; if the keys could not be read, the mail was not
		 * attempted.
		 */
		public Outcome outcome() {
			boolean keyAtFault = getCause() instanceof IllegalStateException
					|| getCause() instanceof GeneralSecurityException;
			return keyAtFault ? new Outcome.Deferred("451 4.7.5 The domain's signing key cannot be used")
					: new Outcome.Unopened("451 4.3.0 The domain's signing keys could not be read", false);
		}

	}

}
