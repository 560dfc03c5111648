package dev.mailroom.worker.relay;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import dev.mailroom.queue.Route;
import dev.mailroom.worker.smtp.SessionOpener;
import dev.mailroom.worker.smtp.SessionPool;
import dev.mailroom.worker.smtp.SmtpSession;
import dev.mailroom.worker.smtp.TlsMode;
import dev.mailroom.worker.transport.NotOpened;
import dev.mailroom.worker.transport.Session;
import dev.mailroom.worker.transport.Transcript;
import dev.mailroom.worker.transport.Transport;
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
import reactor.core.publisher.Mono;
import reactor.pool.PoolAcquireTimeoutException;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Transport through a relay that accepts mail for every domain. Retry, circuit breaker
 * and bulkhead apply only to opening sessions; a reply to a mail is never retried here.
 */
@Component
class SmtpRelay implements Transport, DisposableBean {

	private static final String NAME = "relay";

	/** Time that a waiting mail has beyond the limit on opening a session. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final RelaySettings settings;

	private final Clock clock;

	private final Addresses addresses;

	private final SessionPool sessions;

	/** Sessions for mail that requires TLS, where TLS is otherwise optional. */
	private final SessionPool secured;

	@Autowired
	SmtpRelay(RelaySettings settings, Clock clock) {
		this(settings, clock, InetAddress::getAllByName);
	}

	SmtpRelay(RelaySettings settings, Clock clock, Addresses.Resolver resolver) {
		this.settings = settings;
		this.clock = clock;
		this.addresses = new Addresses(settings.host(), resolver);
		this.sessions = pool(settings.tls());
		this.secured = settings.tls().isVerified() ? this.sessions : pool(TlsMode.REQUIRED);
	}

	@Override
	public String name() {
		return NAME;
	}

	/** One key for all domains, apart from mail that requires TLS. */
	@Override
	public String destination(Route route) {
		return needsSecured(route) ? NAME + " by TLS" : NAME;
	}

	@Override
	public boolean isOneForAll() {
		return true;
	}

	@Override
	public int room(Route route) {
		return this.settings.sessions();
	}

	@Override
	public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
		return (needsSecured(route) ? this.secured : this.sessions).with(work);
	}

	private boolean needsSecured(Route route) {
		return route.requiresTls() && !this.settings.tls().isVerified();
	}

	private SessionPool pool(TlsMode tls) {
		SessionOpener opener = new SessionOpener(this.settings.options(NAME, tls), this.settings.auth());
		int port = this.settings.port();
		return new SessionPool(
				resilient((transcript) -> this.addresses.firstSuccess((address) -> opener.open(this.settings.host(),
						new InetSocketAddress(address, port), transcript))),
				this.settings.sessions(), this.settings.openTimeout().plus(SLACK), (error) -> notOpened(error, null));
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
				.timeout(this.settings.openTimeout(), Mono.error(() -> new TimeoutException("opening it timed out")))
				.transformDeferred(CircuitBreakerOperator.of(breaker))
				.transformDeferred(BulkheadOperator.of(bulkhead))
				.onErrorMap((error) -> notOpened(error, transcript));
		});
	}

	/** Errors raised on this side, without contacting the relay, count no attempt. */
	private NotOpened notOpened(Throwable error, @Nullable Transcript transcript) {
		String prefix = "No session with " + this.settings.host() + ":" + this.settings.port() + ": ";
		return switch (error) {
			case CallNotPermittedException _ ->
				new NotOpened(prefix + "it failed repeatedly and is not contacted for a while", false, null, error);
			case BulkheadFullException _ -> new NotOpened(prefix + "all sessions are in use", false, null, error);
			case PoolAcquireTimeoutException _ -> new NotOpened(prefix + "all sessions are in use", false, null, error);
			default -> new NotOpened(prefix + error.getMessage(), true,
					(transcript != null) ? transcript.attempt(NAME) : null, error);
		};
	}

	/** Ends every session. */
	@Override
	public void destroy() {
		this.sessions.close();
		this.secured.close();
	}

}
