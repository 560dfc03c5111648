package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.MailServers.Undeliverable;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.pool.PoolAcquireTimeoutException;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Transport to the mail servers of the recipients' domains. Each domain has its own
 * sessions, circuit breaker and session limit: a slow domain delays no other. The state
 * of domains that were not used recently is discarded. The limits and breakers of a
 * destination and of an account are part of this class, because only it reads them.
 */
@Component
class DirectMx implements Transport, MeterBinder, DisposableBean {

	private static final String NAME = "mx";

	private static final String NO_SESSION = "451 4.4.1 No session with a mail server of ";

	/** The key of a destination does not depend on the account. */
	private static final UUID NO_ACCOUNT = new UUID(0, 0);

	private static final int MAX_DESTINATIONS = 5_000;

	private static final int MAX_ACCOUNTS = 50_000;

	private static final Duration STATE_TTL = Duration.ofMinutes(10);

	/** Time that a waiting mail has beyond the limit on opening a session. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final MxSettings settings;

	private final Clock clock;

	private final MxSessionOpener opener;

	private final Cache<String, Entry> entries = Caffeine.newBuilder()
		.maximumSize(MAX_DESTINATIONS)
		.expireAfterAccess(STATE_TTL)
		.<String, Entry>removalListener((_, entry, _) -> {
			if (entry != null) {
				entry.sessions().close();
			}
		})
		.build();

	private final Cache<AccountKey, AccountState> accounts = Caffeine.newBuilder()
		.maximumSize(MAX_ACCOUNTS)
		.expireAfterAccess(STATE_TTL)
		.build();

	DirectMx(MxSettings settings, MailServers servers, Clock clock) {
		this.settings = settings;
		this.clock = clock;
		this.opener = new MxSessionOpener(NAME, servers, settings);
	}

	@Override
	public String name() {
		return NAME;
	}

	/** The domain; mail that requires TLS does not share sessions with other mail. */
	@Override
	public String destination(Route route) {
		return route.requiresTls() ? route.domain() + " by TLS" : route.domain();
	}

	@Override
	public int room(Route route) {
		return entry(route).state().sessions();
	}

	@Override
	public boolean admits(Route route) {
		return account(route).admits();
	}

	/** Creates no state: called for the destinations of all workers. */
	@Override
	public Optional<Duration> closedFor(Route route) {
		return Optional.ofNullable(this.entries.getIfPresent(destination(route)))
			.flatMap((entry) -> entry.state().breaker().closedFor())
			.or(() -> Optional.ofNullable(this.accounts.getIfPresent(accountKey(route)))
				.flatMap((account) -> account.breaker().closedFor()));
	}

	/** Sessions with and without required TLS together. */
	@Override
	public Link link(String domain) {
		return link(new Route(NO_ACCOUNT, domain, null, false)).and(link(new Route(NO_ACCOUNT, domain, null, true)));
	}

	private Link link(Route route) {
		@Nullable Entry entry = this.entries.getIfPresent(destination(route));
		return (entry != null) ? new Link(entry.sessions().size(), entry.state().sessions(),
				entry.state().breaker().state(), entry.state().breaker().remaining()) : Link.NONE;
	}

	@Override
	public Duration handOverLimit() {
		return this.settings.replyTimeout().plus(this.settings.dotTimeout());
	}

	@Override
	public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
		return Mono.defer(() -> {
			Entry entry = entry(route);
			AccountState account = account(route);
			Optional<Duration> closedFor = entry.state().breaker().closedFor().or(account.breaker()::closedFor);
			if (closedFor.isPresent()) {
				return Mono.error(broken(route.domain(), closedFor.get(), null));
			}
			return entry.sessions()
				.with((session) -> work
					.apply(new MonitoredSession(session, entry.state(), account, new AtomicBoolean())))
				.onErrorResume(Undeliverable.class, (error) -> work.apply(new UndeliverableSession(error, this.clock)));
		});
	}

	private AccountState account(Route route) {
		return this.accounts.get(accountKey(route), (_) -> new AccountState(this.settings));
	}

	private static AccountKey accountKey(Route route) {
		return new AccountKey(route.accountId(), route.domain());
	}

	private Entry entry(Route route) {
		return this.entries.get(destination(route), (_) -> {
			DestinationState state = new DestinationState(route.domain(), this.settings);
			return new Entry(state,
					new SessionPool(opening(state, route.requiresTls()), this.settings.sessions(),
							this.settings.openTimeout().plus(SLACK),
							(error) -> notOpened(error, state, new Transcript(this.clock))));
		});
	}

	private Mono<SmtpSession> opening(DestinationState state, boolean requiresTls) {
		return Mono.defer(() -> {
			Transcript transcript = new Transcript(this.clock);
			Mono<SmtpSession> session = this.opener.open(state.domain(), requiresTls, transcript)
				.timeout(this.settings.openTimeout());
			return state.guard(session)
				.onErrorMap((error) -> !(error instanceof Undeliverable),
						(error) -> notOpened(error, state, transcript));
		});
	}

	private static NotOpened broken(String domain, Duration closedFor, @Nullable Throwable error) {
		return NotOpened.notTried(NO_SESSION + domain + ": they failed repeatedly and are not contacted for a while",
				closedFor, error);
	}

	/** Errors raised on this side, without contacting a server, count no attempt. */
	private static NotOpened notOpened(Throwable error, DestinationState state, Transcript transcript) {
		String prefix = NO_SESSION + state.domain() + ": ";
		return switch (error) {
			case CallNotPermittedException _ ->
				broken(state.domain(), state.breaker().closedFor().orElse(SLACK), error);
			case PoolAcquireTimeoutException _ -> NotOpened.notTried(prefix + "all sessions are in use", SLACK, error);
			default -> {
				String reason = prefix + error.getMessage();
				yield NotOpened.failed(reason, reason, transcript.attempt(NAME), error);
			}
		};
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (State state : State.values()) {
			Gauge.builder("mailroom.destinations", this, (transport) -> transport.count(state))
				.description("Recently used destinations of direct delivery")
				.tag("state", state.name().toLowerCase(Locale.ROOT))
				.register(registry);
		}
	}

	private long count(State state) {
		return this.entries.asMap().values().stream().filter((entry) -> entry.state().state() == state).count();
	}

	/** Ends every session. */
	@Override
	public void destroy() {
		this.entries.asMap().values().forEach((entry) -> entry.sessions().close());
	}

	private record Entry(DestinationState state, SessionPool sessions) {
	}

	private record AccountKey(UUID account, String domain) {
	}

	/** A session that reports its outcomes to the states of destination and account. */
	private record MonitoredSession(Session session, DestinationState state, AccountState account,
			AtomicBoolean grown) implements Session {

		@Override
		public boolean isOpen() {
			return this.session.isOpen() && !this.state.breaker().isOpen() && !this.account.breaker().isOpen();
		}

		@Override
		public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
			return this.session.hand(envelope, message).doOnError(this.state::failed).doOnNext((result) -> {
				this.state.completed(result.outcome());
				this.account.completed(result.outcome());
				if (result.outcome() instanceof Outcome.Delivered && this.grown.compareAndSet(false, true)) {
					this.state.grow();
				}
			});
		}

	}

	/**
	 * Session limit and circuit breaker of one destination. The limit begins low,
	 * increases with accepted mail and is halved after a failure.
	 */
	private static final class DestinationState {

		private static final int INITIAL_SESSIONS = 2;

		/**
		 * Replies that end the session or report that the server is overloaded,
		 * regardless of the sender (RFC 3463 section 3.5). Replies about the sender's
		 * reputation (4.7.x) are not among them: they concern one account.
		 */
		private static final Pattern OVERLOADED = Pattern.compile("^(421\\b|4\\d\\d[ -]4\\.4\\.2\\b).*",
				Pattern.DOTALL);

		private final String domain;

		private final DestinationBreaker breaker;

		private final int maxSessions;

		private final AtomicInteger sessions;

		DestinationState(String domain, MxSettings settings) {
			this.domain = domain;
			this.maxSessions = settings.sessions();
			this.sessions = new AtomicInteger(Math.min(INITIAL_SESSIONS, this.maxSessions));
			this.breaker = new DestinationBreaker("mx", settings.breakFor(), Undeliverable.class);
		}

		String domain() {
			return this.domain;
		}

		/** Number of sessions that may currently be in use. */
		int sessions() {
			return this.sessions.get();
		}

		/** While it is open, open sessions are not used either. */
		DestinationBreaker breaker() {
			return this.breaker;
		}

		/** The state for operators. */
		State state() {
			if (this.breaker.isOpen()) {
				return State.BREAKER_OPEN;
			}
			return (sessions() < Math.min(INITIAL_SESSIONS, this.maxSessions)) ? State.BACKING_OFF : State.OPEN;
		}

		/** Applies the circuit breaker to opening a session and records a failure. */
		<T> Mono<T> guard(Mono<T> opening) {
			return this.breaker.guard(opening.doOnError((error) -> !(error instanceof Undeliverable), (_) -> shrink()));
		}

		/** Increases the session limit by one; called once per use of a session. */
		void grow() {
			this.sessions.updateAndGet((now) -> Math.min(this.maxSessions, now + 1));
		}

		/** Records an outcome. Only an overloaded server counts as a failure. */
		void completed(Outcome outcome) {
			if (isOverloaded(outcome)) {
				failed(new IOException(((Outcome.Deferred) outcome).reply()));
			}
			else {
				this.breaker.succeeded();
			}
		}

		static boolean isOverloaded(Outcome outcome) {
			return outcome instanceof Outcome.Deferred deferred && OVERLOADED.matcher(deferred.reply()).matches();
		}

		/** Records a broken session or a missing reply. */
		void failed(Throwable error) {
			shrink();
			this.breaker.failed(error);
		}

		private void shrink() {
			this.sessions.updateAndGet((now) -> Math.max(1, now / 2));
		}

	}

	/** States of a destination. */
	private enum State {

		/** Sessions may be opened. */
		OPEN,
		/** The session limit is below its initial value after failures. */
		BACKING_OFF,
		/** The circuit breaker is open: the destination is not contacted for a while. */
		BREAKER_OPEN

	}

	/**
	 * Rate limit and circuit breaker of one account's mail to one destination. A server
	 * that refuses one account's mail for reasons of security or policy still gets the
	 * mail of the others.
	 */
	private static final class AccountState {

		private static final Duration PERIOD = Duration.ofSeconds(1);

		/**
		 * Temporary refusals for reasons of security or policy (RFC 3463 section 3.8).
		 */
		private static final Pattern REFUSED_BY_POLICY = Pattern.compile("^4\\d\\d[ -]4\\.7\\..*", Pattern.DOTALL);

		private final RateLimiter rate;

		private final DestinationBreaker breaker;

		AccountState(MxSettings settings) {
			this.rate = RateLimiter.of("mx",
					RateLimiterConfig.custom()
						.limitForPeriod(settings.rate())
						.limitRefreshPeriod(PERIOD)
						.timeoutDuration(Duration.ZERO)
						.build());
			this.breaker = new DestinationBreaker("mx account", settings.breakFor(), Undeliverable.class);
		}

		/** Counts a mail; false if it exceeds the rate limit. */
		boolean admits() {
			return this.rate.acquirePermission();
		}

		DestinationBreaker breaker() {
			return this.breaker;
		}

		/** Records an outcome. Only a refusal for such a reason counts as a failure. */
		void completed(Outcome outcome) {
			if (outcome instanceof Outcome.Deferred deferred
					&& (REFUSED_BY_POLICY.matcher(deferred.reply()).matches() || Bounce.isBlock(deferred.reply()))
					&& !DestinationState.isOverloaded(outcome)) {
				this.breaker.failed(new IOException(deferred.reply()));
			}
			else {
				this.breaker.succeeded();
			}
		}

	}

	/**
	 * Takes the place of a session if the domain accepts no mail according to DNS, so
	 * that such mail passes the fence before it bounces.
	 */
	private record UndeliverableSession(Undeliverable reason, Clock clock) implements Session {

		@Override
		public boolean isOpen() {
			return true;
		}

		@Override
		public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
			return Mono.fromSupplier(() -> {
				String reply = String.valueOf(this.reason.getMessage());
				Transcript transcript = new Transcript(this.clock);
				transcript.note(reply);
				return new HandOverResult(new Outcome.Bounced(Bounce.Reason.UNKNOWN_DOMAIN, reply),
						transcript.attempt(NAME));
			});
		}

	}

}
