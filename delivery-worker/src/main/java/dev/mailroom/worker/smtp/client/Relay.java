package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import dev.mailroom.Allowed;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Conversation.Reply;
import dev.mailroom.worker.smtp.client.SessionOpener.SessionOptions;
import dev.mailroom.worker.smtp.client.SessionOpener.SmtpAuth;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.netty.channel.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.pool.PoolAcquireTimeoutException;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Transport through a relay that accepts mail for every domain. Retry, circuit breaker
 * and bulkhead apply only to opening sessions; a reply to a mail is never retried here.
 */
@Component
class Relay implements Transport, DisposableBean {

	private static final String NAME = "relay";

	/** Reply of a delivery, which does not name the operator's relay. */
	private static final String NO_SESSION = "451 4.4.1 No session with the relay";

	/** Time that a waiting mail has beyond the limit on opening a session. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	/** Time for which the relay is not contacted after repeated failures. */
	private static final Duration BREAK_TIME = Duration.ofSeconds(5);

	private final RelaySettings settings;

	private final Clock clock;

	private final Resolver resolver;

	private final Pool sessions;

	/** Sessions for mail that requires TLS, where TLS is otherwise optional. */
	private final Pool secured;

	@Autowired
	Relay(RelaySettings settings, Clock clock) {
		this(settings, clock, InetAddress::getAllByName);
	}

	Relay(RelaySettings settings, Clock clock, Resolver resolver) {
		this.settings = settings;
		this.clock = clock;
		this.resolver = resolver;
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
	public Optional<Duration> closedFor(Route route) {
		return pool(route).breaker().closedFor();
	}

	/** The connections to the relay, the same for every domain. */
	@Override
	public Link link(String domain) {
		Link link = link(this.sessions);
		return this.settings.tls().isVerified() ? link : link.and(new Link(this.secured.sessions().size(), 0,
				this.secured.breaker().state(), this.secured.breaker().remaining(), null));
	}

	private Link link(Pool pool) {
		return new Link(pool.sessions().size(), this.settings.sessions(), pool.breaker().state(),
				pool.breaker().remaining(), null);
	}

	@Override
	public Duration handOverLimit() {
		return this.settings.replyTimeout().plus(this.settings.dotTimeout());
	}

	@Override
	public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
		return Mono.defer(() -> {
			Pool pool = pool(route);
			Optional<Duration> closedFor = pool.breaker().closedFor();
			return closedFor.isPresent() ? Mono.error(closed(closedFor.get(), null)) : pool.sessions().with(work);
		});
	}

	private Pool pool(Route route) {
		return needsSecured(route) ? this.secured : this.sessions;
	}

	private boolean needsSecured(Route route) {
		return route.requiresTls() && !this.settings.tls().isVerified();
	}

	private Pool pool(TlsMode tls) {
		DestinationBreaker breaker = new DestinationBreaker(NAME, BREAK_TIME, NotOpened.class::isInstance);
		SessionOpener opener = new SessionOpener(this.settings.options(NAME, tls), this.settings.auth());
		int port = this.settings.port();
		Mono<SmtpSession> opening = resilient(breaker, (transcript) -> firstSuccess(
				(address) -> opener.open(this.settings.host(), new InetSocketAddress(address, port), transcript)));
		return new Pool(new SessionPool(opening, this.settings.sessions(), this.settings.openTimeout().plus(SLACK),
				(error) -> notOpened(error, breaker, new Transcript(this.clock))), breaker);
	}

	/**
	 * Tries one address of the relay after another until an attempt succeeds (RFC 5321
	 * section 5.1). The name is resolved on a thread that may block, because blocking an
	 * event loop would delay every session.
	 */
	private <T> Mono<T> firstSuccess(Function<InetAddress, Mono<T>> attempt) {
		return Mono.fromCallable(() -> List.of(this.resolver.resolve(this.settings.host())))
			.onErrorMap(UnknownHostException.class, (ex) -> new IOException("its name is unknown", ex))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((all) -> firstSuccess(all, attempt));
	}

	private static <T> Mono<T> firstSuccess(List<InetAddress> addresses, Function<InetAddress, Mono<T>> attempt) {
		Mono<T> first = attempt.apply(addresses.getFirst());
		return (addresses.size() == 1) ? first
				: first.onErrorResume((error) -> firstSuccess(addresses.subList(1, addresses.size()), attempt)
					.onErrorMap((later) -> moreSpecific(error, later)));
	}

	/** An error that a server reported is preferred to a failed connection. */
	private static Throwable moreSpecific(Throwable first, Throwable later) {
		return (first instanceof ConnectException) ? later : first;
	}

	private Mono<SmtpSession> resilient(DestinationBreaker breaker, Function<Transcript, Mono<SmtpSession>> opening) {
		Retry retry = Retry.of(NAME,
				RetryConfig.custom()
					.maxAttempts(2)
					.ignoreExceptions(TimeoutException.class, ConnectTimeoutException.class)
					.intervalFunction(IntervalFunction.ofRandomized(Duration.ofMillis(200)))
					.build());
		Bulkhead bulkhead = Bulkhead.of(NAME,
				BulkheadConfig.custom()
					.maxConcurrentCalls(this.settings.sessions())
					.maxWaitDuration(Duration.ZERO)
					.build());
		return Mono.defer(() -> {
			Transcript transcript = new Transcript(this.clock);
			Mono<SmtpSession> session = Mono.defer(() -> opening.apply(transcript))
				.transformDeferred(RetryOperator.of(retry))
				.timeout(this.settings.openTimeout(), Mono.error(() -> new TimeoutException("opening it timed out")));
			return breaker.guard(session)
				.transformDeferred(BulkheadOperator.of(bulkhead))
				.onErrorMap((error) -> notOpened(error, breaker, transcript));
		});
	}

	/** Errors raised on this side, without contacting the relay, count no attempt. */
	private NotOpened notOpened(Throwable error, DestinationBreaker breaker, Transcript transcript) {
		return switch (error) {
			case CallNotPermittedException _ -> closed(breaker.closedFor().orElse(SLACK), error);
			case BulkheadFullException _ -> NotOpened.notTried(prefix() + "all sessions are in use", SLACK, error);
			case PoolAcquireTimeoutException _ ->
				NotOpened.notTried(prefix() + "all sessions are in use", SLACK, error);
			default -> NotOpened.failed(NO_SESSION, prefix() + error.getMessage(), transcript.attempt(NAME), error);
		};
	}

	private NotOpened closed(Duration closedFor, @Nullable Throwable error) {
		return NotOpened.notTried(prefix() + "it failed repeatedly and is not contacted for a while", closedFor, error);
	}

	private String prefix() {
		return "No session with " + this.settings.host() + ":" + this.settings.port() + ": ";
	}

	/** Ends every session. */
	@Override
	public void destroy() {
		this.sessions.sessions().close();
		this.secured.sessions().close();
	}

	private record Pool(SessionPool sessions, DestinationBreaker breaker) {
	}

	/** Blocking lookup of a name's addresses. */
	interface Resolver {

		InetAddress[] resolve(String host) throws UnknownHostException;

	}

	/**
	 * The relay that all mail is sent through.
	 *
	 * @param user user name for AUTH; AUTH is not used if null or blank
	 * @param caFile trusted certificates (PEM) if the relay's is not signed by a public
	 * authority
	 * @param last whether the relay's 250 means delivered, and not only sent
	 * @param helo name sent with EHLO
	 * @param sessions maximum number of open sessions
	 * @param connectTimeout limit on the connection to one address
	 * @param openTimeout limit on everything before a session's first mail; must be
	 * shorter than a lease
	 * @param replyTimeout limit on one reply, and on all replies before a mail's body
	 * together
	 * @param dotTimeout limit on the reply to the final dot (RFC 5321 section 4.5.3.2.6);
	 * with replyTimeout and the time within which a hand-over begins, it must be shorter
	 * than the lease of a hand-over
	 */
	@ConfigurationProperties("mailroom.relay")
	record RelaySettings(@DefaultValue("localhost") String host,
			@DefaultValue("25") @Allowed(from = "1", to = "65535") int port, @Nullable String user,
			@Nullable String password, @DefaultValue("starttls") TlsMode tls, @Nullable Path caFile,
			@DefaultValue("false") boolean last, @DefaultValue("localhost") String helo,
			@DefaultValue("20") @Allowed(from = "1", to = "10000") int sessions,
			@DefaultValue("10s") Duration connectTimeout, @DefaultValue("30s") Duration openTimeout,
			@DefaultValue("3m") Duration replyTimeout, @DefaultValue("10m") Duration dotTimeout) {

		SessionOptions options(String transport, TlsMode tls) {
			// The password is not sent to a server that anybody may be.
			TlsMode verified = (auth() != null && tls == TlsMode.STARTTLS) ? TlsMode.REQUIRED : tls;
			return new SessionOptions(transport, this.helo, this.last, tls,
					SessionOptions.context(verified, this.caFile), null, this.connectTimeout, this.replyTimeout,
					this.dotTimeout);
		}

		@Nullable SmtpAuth auth() {
			return (this.user == null || this.user.isBlank()) ? null
					: new SmtpAuth(this.user, Objects.requireNonNullElse(this.password, ""));
		}

	}

}
