package dev.mailroom;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Blocking access to reactive results and polling, both with a deadline, for tests. */
public final class Await {

	private static final Duration DEADLINE = Duration.ofSeconds(60);

	private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

	private static final Duration ASSERTION_INTERVAL = Duration.ofMillis(100);

	private Await() {
	}

	/** The value, or null if the publisher is empty. */
	public static <T> T await(Mono<T> mono) {
		return mono.block(DEADLINE);
	}

	/** Whether the publisher completes without a value. */
	public static boolean isEmpty(Mono<?> mono) {
		return mono.hasElement().blockOptional(DEADLINE).orElseThrow().equals(false);
	}

	/**
	 * The refusal that the publisher ends with.
	 * @throws AssertionError if it completes, or is refused with another error name
	 */
	public static Refused awaitRefusal(String error, Mono<?> mono) {
		@Nullable Refused refused = mono.then(Mono.<Refused>empty()).onErrorResume(Refused.class, Mono::just).block(DEADLINE);
		assertThat(refused).as(error).isNotNull();
		assertThat(refused.refusal().error()).isEqualTo(error);
		return refused;
	}

	/** The error name of the refusal, or {@code ok}. */
	public static Mono<String> errorName(Mono<?> mono) {
		return mono.then(Mono.just("ok"))
			.onErrorResume(Refused.class, (refused) -> Mono.just(refused.refusal().error()));
	}

	/** Runs work that waits on several threads at the same time; the results in order. */
	public static <T extends @Nullable Object> List<T> together(int threads, IntFunction<T> work) {
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<T>> results = IntStream.range(0, threads)
				.mapToObj((i) -> executor.submit(() -> work.apply(i)))
				.toList();
			List<T> values = new ArrayList<>();
			for (Future<T> result : results) {
				values.add(result.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
			}
			return values;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Polls until the condition holds.
	 * @throws AssertionError if it does not hold before the deadline
	 */
	public static void until(String description, Callable<Boolean> condition) {
		until(description, DEADLINE, condition);
	}

	/**
	 * Polls until the condition holds.
	 * @throws AssertionError if it does not hold before the deadline
	 */
	public static void until(String description, Duration deadline, Callable<Boolean> condition) {
		until(description, deadline, POLL_INTERVAL, condition);
	}

	/**
	 * Polls with an interval, for conditions that are expensive to check or are timed.
	 * @throws AssertionError if the condition does not hold before the deadline
	 */
	public static void until(String description, Duration deadline, Duration interval, Callable<Boolean> condition) {
		long end = System.nanoTime() + deadline.toNanos();
		while (!holds(condition)) {
			if (System.nanoTime() > end) {
				throw new AssertionError("Not within " + deadline + ": " + description);
			}
			LockSupport.parkNanos(interval.toNanos());
		}
	}

	/**
	 * Repeats assertions until they hold, after an interval each: at once, they could
	 * compete with what they wait for.
	 * @throws AssertionError with the last error as its cause, if they do not hold before
	 * the deadline
	 */
	public static void untilAsserted(ThrowingCallable assertions) {
		long end = System.nanoTime() + DEADLINE.toNanos();
		Throwable error;
		do {
			LockSupport.parkNanos(ASSERTION_INTERVAL.toNanos());
			error = catchThrowable(assertions);
			if (error != null && System.nanoTime() > end) {
				throw new AssertionError("Not within " + DEADLINE, error);
			}
		}
		while (error != null);
	}

	private static boolean holds(Callable<Boolean> condition) {
		try {
			return condition.call();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
