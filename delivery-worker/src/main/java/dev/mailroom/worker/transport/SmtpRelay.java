package dev.mailroom.worker.transport;

import java.time.Duration;
import java.util.function.Function;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The relay that all mail goes through. Sessions are kept and used again. Resilience
 * stands around their opening and nowhere else: what a server says of a mail is never
 * tried again in place.
 */
@Component
public class SmtpRelay implements DisposableBean {

	private static final int MAILS_PER_SESSION = 100;

	private static final Duration IDLE = Duration.ofSeconds(10);

	private final InstrumentedPool<SmtpSession> sessions;

	SmtpRelay(RelaySettings settings) {
		Opening opening = new Opening(settings);
		this.sessions = PoolBuilder.from(resilient(opening.open(), settings))
			.sizeBetween(0, settings.sessions())
			.evictionPredicate((session, use) -> !session.isOpen() || use.acquireCount() >= MAILS_PER_SESSION
					|| use.idleTime() > IDLE.toMillis())
			.evictInBackground(Duration.ofSeconds(5))
			.destroyHandler(SmtpSession::quit)
			.buildPool();
	}

	/**
	 * Lends a session for as long as the work with it takes. One whose work is cut off
	 * stands somewhere in a mail: it is closed, or the next mail would be taken for the
	 * rest of that.
	 * @throws NotOpened where none could be opened
	 */
	public <T> Mono<T> with(Function<SmtpSession, Mono<T>> work) {
		return Mono.usingWhen(this.sessions.acquire(), (lent) -> work.apply(lent.poolable()), SmtpRelay::giveBack,
				(lent, _) -> giveBack(lent), PooledRef::invalidate);
	}

	private static Publisher<Void> giveBack(PooledRef<SmtpSession> lent) {
		return lent.poolable().isOpen() ? lent.release() : lent.invalidate();
	}

	private static Mono<SmtpSession> resilient(Mono<SmtpSession> opening, RelaySettings settings) {
		Retry retry = Retry.of("relay",
				RetryConfig.custom()
					.maxAttempts(2)
					.intervalFunction(IntervalFunction.ofRandomized(Duration.ofMillis(200)))
					.build());
		CircuitBreaker breaker = CircuitBreaker.of("relay",
				CircuitBreakerConfig.custom()
					.slidingWindowSize(10)
					.minimumNumberOfCalls(5)
					.waitDurationInOpenState(Duration.ofSeconds(5))
					.permittedNumberOfCallsInHalfOpenState(2)
					.build());
		Bulkhead bulkhead = Bulkhead.of("relay",
				BulkheadConfig.custom().maxConcurrentCalls(settings.sessions()).maxWaitDuration(Duration.ZERO).build());
		return opening.transformDeferred(RetryOperator.of(retry))
			.transformDeferred(CircuitBreakerOperator.of(breaker))
			.transformDeferred(BulkheadOperator.of(bulkhead))
			.onErrorMap((error) -> new NotOpened(reason(error, settings), !(error instanceof CallNotPermittedException),
					error));
	}

	private static String reason(Throwable error, RelaySettings settings) {
		String what = (error instanceof CallNotPermittedException)
				? "it failed repeatedly and is left alone for a while" : String.valueOf(error.getMessage());
		return "No session with " + settings.host() + ":" + settings.port() + ": " + what;
	}

	/** Says goodbye on every session. */
	@Override
	public void destroy() {
		this.sessions.dispose();
	}

}
