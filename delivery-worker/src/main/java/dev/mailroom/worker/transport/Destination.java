package dev.mailroom.worker.transport;

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
 * What is known of one destination: how much it can bear, and whether it is better left
 * alone for a while. It begins with little and grows with what it takes.
 */
final class Destination {

	private static final int START = 2;

	/**
	 * That we are to come later, whoever the mail is for, or that the session broke off
	 * (RFC 3463 3.5, 3.8).
	 */
	private static final Pattern LATER = Pattern.compile("^(421\\b|4\\d\\d[ -]4\\.(7\\.|4\\.2\\b)).*", Pattern.DOTALL);

	private final String domain;

	private final CircuitBreaker breaker;

	private final int most;

	private final AtomicInteger room;

	Destination(String domain, MxSettings settings) {
		this.domain = domain;
		this.most = settings.sessions();
		this.room = new AtomicInteger(Math.min(START, this.most));
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

	/** So many sessions may be at work with it now. */
	int room() {
		return this.room.get();
	}

	/**
	 * Whether anything may be tried with it now, on a session that is there already too.
	 */
	boolean isLeftAlone() {
		if (this.breaker.tryAcquirePermission()) {
			this.breaker.releasePermission();
			return false;
		}
		return true;
	}

	/** Opens a session, unless it failed too often lately. */
	<T> Mono<T> guard(Mono<T> opening) {
		return opening.doOnError((error) -> !(error instanceof Undeliverable), (_) -> shrink())
			.transformDeferred(CircuitBreakerOperator.of(this.breaker));
	}

	/** It took a mail: it may take one more at a time. */
	void grow() {
		this.room.updateAndGet((now) -> Math.min(this.most, now + 1));
	}

	/** What it said of a mail. Only that we are to come later speaks against it. */
	void heard(Outcome outcome) {
		if (outcome instanceof Outcome.Deferred deferred && LATER.matcher(deferred.reply()).matches()) {
			lost(new IOException(deferred.reply()));
		}
		else {
			this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
		}
	}

	/** It broke off, or took a mail and never said so. */
	void lost(Throwable error) {
		shrink();
		this.breaker.onError(0, TimeUnit.NANOSECONDS, error);
	}

	private void shrink() {
		this.room.updateAndGet((now) -> Math.max(1, now / 2));
	}

}
