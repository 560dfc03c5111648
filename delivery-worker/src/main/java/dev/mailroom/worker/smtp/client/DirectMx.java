package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Route;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
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
 * sessions, circuit breaker and session limit, so that a slow domain delays no other. The
 * state of domains that were not used recently is discarded.
 */
@Component
class DirectMx implements Transport, MeterBinder, DisposableBean {

	static final String NAME = "mx";

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
				.flatMap(AccountState::closedFor));
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
		for (DestinationState.State state : DestinationState.State.values()) {
			Gauge.builder("mailroom.destinations", this, (transport) -> transport.count(state))
				.description("Recently used destinations of direct delivery")
				.tag("state", state.name().toLowerCase(Locale.ROOT))
				.register(registry);
		}
	}

	private long count(DestinationState.State state) {
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

}
