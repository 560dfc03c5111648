package dev.mailroom.worker.transport;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.netty.channel.ConnectTimeoutException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolAcquireTimeoutException;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
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

	/** So much longer than an opening may take is waited for a session. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final InstrumentedPool<SmtpSession> sessions;

	private final RelaySettings settings;

	@Autowired
	SmtpRelay(RelaySettings settings) {
		this(settings, InetAddress::getAllByName);
	}

	SmtpRelay(RelaySettings settings, Addresses.Resolver resolver) {
		this.settings = settings;
		Opening opening = new Opening(settings, resolver);
		this.sessions = PoolBuilder.from(resilient(opening.open(), settings))
			.sizeBetween(0, settings.sessions())
			.evictionPredicate((session, use) -> !session.isOpen() || session.mails() >= MAILS_PER_SESSION
					|| use.idleTime() > IDLE.toMillis())
			.evictInBackground(Duration.ofSeconds(5))
			.destroyHandler(SmtpSession::quit)
			.buildPool();
	}

	/**
	 * Lends a session for as long as the work with it takes. One whose work is cut off
	 * stands somewhere in a mail: it is closed, or the next mail would be taken for the
	 * rest of that.
	 * @throws NotOpened where none could be opened, or was free in time
	 */
	public <T> Mono<T> with(Function<SmtpSession, Mono<T>> work) {
		Mono<PooledRef<SmtpSession>> free = this.sessions.acquire(this.settings.openTimeout().plus(SLACK))
			.onErrorMap(PoolAcquireTimeoutException.class, (ex) -> notOpened(ex, this.settings));
		return Mono.usingWhen(free, (lent) -> work.apply(lent.poolable()), SmtpRelay::giveBack,
				(lent, _) -> giveBack(lent), PooledRef::invalidate);
	}

	private static Publisher<Void> giveBack(PooledRef<SmtpSession> lent) {
		return lent.poolable().isOpen() ? lent.release() : lent.invalidate();
	}

	private static Mono<SmtpSession> resilient(Mono<SmtpSession> opening, RelaySettings settings) {
		Retry retry = Retry.of("relay",
				RetryConfig.custom()
					.maxAttempts(2)
					.ignoreExceptions(TimeoutException.class, ConnectTimeoutException.class)
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
			.timeout(settings.openTimeout(), Mono.error(() -> new TimeoutException("it was too slow")))
			.transformDeferred(CircuitBreakerOperator.of(breaker))
			.transformDeferred(BulkheadOperator.of(bulkhead))
			.onErrorMap((error) -> notOpened(error, settings));
	}

	/** What was held back on this side was no attempt. */
	private static NotOpened notOpened(Throwable error, RelaySettings settings) {
		String host = "No session with " + settings.host() + ":" + settings.port() + ": ";
		return switch (error) {
			case CallNotPermittedException _ ->
				new NotOpened(host + "it failed repeatedly and is left alone for a while", false, error);
			case BulkheadFullException _ -> new NotOpened(host + "all are in use", false, error);
			case PoolAcquireTimeoutException _ -> new NotOpened(host + "all are in use", false, error);
			default -> new NotOpened(host + error.getMessage(), true, error);
		};
	}

	/** Says goodbye on every session. */
	@Override
	public void destroy() {
		this.sessions.dispose();
	}

}
