package dev.mailroom.worker.mx;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import dev.mailroom.outcome.Outcome;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import reactor.core.publisher.Mono;

/**
 * Session limit and circuit breaker of one destination. The limit begins low, increases
 * with accepted mail and is halved after a failure.
 */
final class DestinationState {

	private static final int INITIAL_SESSIONS = 2;

	/**
	 * Replies that ask to slow down or end the session, independent of the recipient (RFC
	 * 3463 sections 3.5 and 3.8).
	 */
	private static final Pattern SLOW_DOWN = Pattern.compile("^(421\\b|4\\d\\d[ -]4\\.(7\\.|4\\.2\\b)).*",
			Pattern.DOTALL);

	private final String domain;

	private final CircuitBreaker breaker;

	private final int maxSessions;

	private final AtomicInteger sessions;

	DestinationState(String domain, MxSettings settings) {
		this.domain = domain;
		this.maxSessions = settings.sessions();
		this.sessions = new AtomicInteger(Math.min(INITIAL_SESSIONS, this.maxSessions));
		this.breaker = CircuitBreaker.of("mx",
				CircuitBreakerConfig.custom()
					.slidingWindowSize(10)
					.minimumNumberOfCalls(5)
					.waitDurationInOpenState(settings.breakFor())
					.permittedNumberOfCallsInHalfOpenState(2)
					.ignoreExceptions(Undeliverable.class)
					.build());
	}

	String domain() {
		return this.domain;
	}

	/** Number of sessions that may currently be in use. */
	int sessions() {
		return this.sessions.get();
	}

	/** Whether the circuit breaker is open: open sessions are not used either. */
	boolean isBroken() {
		if (this.breaker.tryAcquirePermission()) {
			this.breaker.releasePermission();
			return false;
		}
		return true;
	}

	/** The state for operators. */
	State state() {
		if (this.breaker.getState() == CircuitBreaker.State.OPEN) {
			return State.BREAKER_OPEN;
		}
		return (sessions() < Math.min(INITIAL_SESSIONS, this.maxSessions)) ? State.BACKING_OFF : State.OPEN;
	}

	/** Applies the circuit breaker to opening a session and records a failure. */
	<T> Mono<T> guard(Mono<T> opening) {
		return opening.doOnError((error) -> !(error instanceof Undeliverable), (_) -> shrink())
			.transformDeferred(CircuitBreakerOperator.of(this.breaker));
	}

	/** Increases the session limit by one; called once per use of a session. */
	void grow() {
		this.sessions.updateAndGet((now) -> Math.min(this.maxSessions, now + 1));
	}

	/** Records an outcome. Only a request to slow down counts as a failure. */
	void completed(Outcome outcome) {
		if (outcome instanceof Outcome.Deferred deferred && SLOW_DOWN.matcher(deferred.reply()).matches()) {
			failed(new IOException(deferred.reply()));
		}
		else {
			this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
		}
	}

	/** Records a broken session or a missing reply. */
	void failed(Throwable error) {
		shrink();
		this.breaker.onError(0, TimeUnit.NANOSECONDS, error);
	}

	private void shrink() {
		this.sessions.updateAndGet((now) -> Math.max(1, now / 2));
	}

	/** States of a destination. */
	enum State {

		/** Sessions may be opened. */
		OPEN,
		/** The session limit is below its initial value after failures. */
		BACKING_OFF,
		/** The circuit breaker is open: the destination is not contacted for a while. */
		BREAKER_OPEN

	}

}
