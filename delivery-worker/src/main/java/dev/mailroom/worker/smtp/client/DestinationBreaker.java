package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import dev.mailroom.operator.Circuit;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import reactor.core.publisher.Mono;

/**
 * Circuit breaker of a destination, or of an account's mail to it, that states for how
 * long nothing is sent.
 */
final class DestinationBreaker {

	private static final int WINDOW = 10;

	private static final int MIN_CALLS = 5;

	private static final int TRIAL_CALLS = 2;

	/** Time until the next check while all trial calls are in use. */
	private static final Duration TRIAL_DELAY = Duration.ofSeconds(1);

	private final CircuitBreaker breaker;

	private final Duration openFor;

	/** On the clock of {@link System#nanoTime()}. */
	private volatile long openedAt;

	/**
	 * Creates a closed breaker.
	 * @param openFor time for which nothing is sent after repeated failures
	 * @param ignored errors that are unrelated to the state of the destination
	 */
	public DestinationBreaker(String name, Duration openFor, Predicate<Throwable> ignored) {
		this.openFor = openFor;
		this.breaker = CircuitBreaker.of(name,
				CircuitBreakerConfig.custom()
					.slidingWindowSize(WINDOW)
					.minimumNumberOfCalls(MIN_CALLS)
					.waitDurationInOpenState(openFor)
					.permittedNumberOfCallsInHalfOpenState(TRIAL_CALLS)
					.ignoreException(ignored)
					.build());
		this.breaker.getEventPublisher().onStateTransition((event) -> {
			if (event.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
				this.openedAt = System.nanoTime();
			}
		});
	}

	/** Whether nothing may be sent now. */
	public boolean isOpen() {
		if (this.breaker.tryAcquirePermission()) {
			this.breaker.releasePermission();
			return false;
		}
		return true;
	}

	/** The state for operators. An open breaker whose time is over admits trials. */
	public Circuit state() {
		return switch (this.breaker.getState()) {
			case OPEN, FORCED_OPEN -> remaining().isPositive() ? Circuit.OPEN : Circuit.HALF_OPEN;
			case HALF_OPEN -> Circuit.HALF_OPEN;
			case CLOSED, DISABLED, METRICS_ONLY -> Circuit.CLOSED;
		};
	}

	/** Time until an open breaker admits trials; not positive if it does. */
	public Duration remaining() {
		return this.openFor.minusNanos(System.nanoTime() - this.openedAt);
	}

	/** Time for which nothing may be sent; empty if something may be sent now. */
	public Optional<Duration> closedFor() {
		if (!isOpen()) {
			return Optional.empty();
		}
		Duration remaining = remaining();
		return Optional.of(remaining.isPositive() ? remaining : TRIAL_DELAY);
	}

	/**
	 * Rejects the opening of a session while the breaker is open, and records its result.
	 */
	public <T> Mono<T> guard(Mono<T> opening) {
		return opening.transformDeferred(CircuitBreakerOperator.of(this.breaker));
	}

	/** Records a success. */
	public void succeeded() {
		this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
	}

	/** Records a failure. */
	public void failed(Throwable error) {
		this.breaker.onError(0, TimeUnit.NANOSECONDS, error);
	}

}
