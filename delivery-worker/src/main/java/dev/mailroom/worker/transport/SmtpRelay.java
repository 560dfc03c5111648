package dev.mailroom.worker.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import dev.mailroom.queue.Route;
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
 * A relay that takes mail for whomever. Sessions are kept and used again. Resilience
 * stands around their opening and nowhere else: what a server says of a mail is never
 * tried again in place.
 */
@Component
class SmtpRelay implements Transport, DisposableBean {

	private static final String NAME = "relay";

	/** So much longer than an opening may take is waited for a session. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final RelaySettings settings;

	private final Clock clock;

	private final Addresses addresses;

	private final SessionPool sessions;

	/** For what must not go in the clear, where other mail may. */
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
		this.secured = settings.tls().holds() ? this.sessions : pool(TlsMode.REQUIRED);
	}

	@Override
	public String name() {
		return NAME;
	}

	/** A relay takes mail for whomever on one session. */
	@Override
	public String destination(Route route) {
		return secured(route) ? NAME + " by TLS" : NAME;
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
		return (secured(route) ? this.secured : this.sessions).with(work);
	}

	private boolean secured(Route route) {
		return route.requiresTls() && !this.settings.tls().holds();
	}

	private SessionPool pool(TlsMode tls) {
		SessionOpener opening = new SessionOpener(this.settings.terms(NAME, tls), this.settings.signIn());
		int port = this.settings.port();
		return new SessionPool(resilient((transcript) -> this.addresses
			.inTurn((address) -> opening.open(this.settings.host(), new InetSocketAddress(address, port), transcript))),
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
		this.sessions.close();
		this.secured.close();
	}

}
