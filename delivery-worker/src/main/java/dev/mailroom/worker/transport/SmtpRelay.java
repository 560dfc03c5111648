package dev.mailroom.worker.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import dev.mailroom.outcome.Route;
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
import org.jspecify.annotations.Nullable;
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
class SmtpRelay implements Transport, DisposableBean {

	private static final String NAME = "relay";

	private static final int MAILS_PER_SESSION = 100;

	private static final Duration IDLE = Duration.ofSeconds(10);

	/** So much longer than an opening may take is waited for a session. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final InstrumentedPool<SmtpSession> sessions;

	private final RelaySettings settings;

	private final Clock clock;

	@Autowired
	SmtpRelay(RelaySettings settings, Clock clock) {
		this(settings, clock, InetAddress::getAllByName);
	}

	SmtpRelay(RelaySettings settings, Clock clock, Addresses.Resolver resolver) {
		this.settings = settings;
		this.clock = clock;
		Addresses addresses = new Addresses(settings.host(), resolver);
		Opening opening = new Opening(settings.terms(NAME), settings.signIn());
		this.sessions = PoolBuilder
			.from(resilient((transcript) -> addresses.inTurn((address) -> opening.open(settings.host(),
					new InetSocketAddress(address, settings.port()), transcript))))
			.sizeBetween(0, settings.sessions())
			.evictionPredicate((session, use) -> !session.isOpen() || session.mails() >= MAILS_PER_SESSION
					|| use.idleTime() > IDLE.toMillis())
			.evictInBackground(Duration.ofSeconds(5))
			.destroyHandler(SmtpSession::quit)
			.buildPool();
	}

	@Override
	public String name() {
		return NAME;
	}

	/** A relay takes mail for whomever on one session. */
	@Override
	public String destination(Route route) {
		return NAME;
	}

	/**
	 * Lends a session. One whose work is cut off stands somewhere in a mail: it is
	 * closed, or the next mail would be taken for the rest of that.
	 */
	@Override
	public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
		Mono<PooledRef<SmtpSession>> free = this.sessions.acquire(this.settings.openTimeout().plus(SLACK))
			.onErrorMap(PoolAcquireTimeoutException.class, (ex) -> notOpened(ex, null));
		return Mono.usingWhen(free, (lent) -> work.apply(lent.poolable()), SmtpRelay::giveBack,
				(lent, _) -> giveBack(lent), PooledRef::invalidate);
	}

	private static Publisher<Void> giveBack(PooledRef<SmtpSession> lent) {
		return lent.poolable().isOpen() ? lent.release() : lent.invalidate();
	}

	private Mono<SmtpSession> resilient(Function<Transcript, Mono<SmtpSession>> opening) {
		Retry retry = Retry.of(NAME,
				RetryConfig.custom()
					.maxAttempts(2)
					.ignoreExceptions(TimeoutException.class, ConnectTimeoutException.class)
					.intervalFunction(IntervalFunction.ofRandomized(Duration.ofMillis(200)))
					.build());
		CircuitBreaker breaker = CircuitBreaker.of(NAME,
				CircuitBreakerConfig.custom()
					.slidingWindowSize(10)
					.minimumNumberOfCalls(5)
					.waitDurationInOpenState(Duration.ofSeconds(5))
					.permittedNumberOfCallsInHalfOpenState(2)
					.build());
		Bulkhead bulkhead = Bulkhead.of(NAME,
				BulkheadConfig.custom()
					.maxConcurrentCalls(this.settings.sessions())
					.maxWaitDuration(Duration.ZERO)
					.build());
		return Mono.defer(() -> {
			Transcript transcript = new Transcript(this.clock);
			return Mono.defer(() -> opening.apply(transcript))
				.transformDeferred(RetryOperator.of(retry))
				.timeout(this.settings.openTimeout(), Mono.error(() -> new TimeoutException("it was too slow")))
				.transformDeferred(CircuitBreakerOperator.of(breaker))
				.transformDeferred(BulkheadOperator.of(bulkhead))
				.onErrorMap((error) -> notOpened(error, transcript));
		});
	}

	/** What was held back on this side was no attempt. */
	private NotOpened notOpened(Throwable error, @Nullable Transcript transcript) {
		String host = "No session with " + this.settings.host() + ":" + this.settings.port() + ": ";
		return switch (error) {
			case CallNotPermittedException _ ->
				new NotOpened(host + "it failed repeatedly and is left alone for a while", false, null, error);
			case BulkheadFullException _ -> new NotOpened(host + "all are in use", false, null, error);
			case PoolAcquireTimeoutException _ -> new NotOpened(host + "all are in use", false, null, error);
			default -> new NotOpened(host + error.getMessage(), true,
					(transcript != null) ? transcript.attempt(NAME) : null, error);
		};
	}

	/** Says goodbye on every session. */
	@Override
	public void destroy() {
		this.sessions.dispose();
	}

}
