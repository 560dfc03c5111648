package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.operator.Circuit;
import dev.mailroom.site.Site;
import dev.mailroom.source.SendingSource;
import dev.mailroom.worker.smtp.client.MailServers.Undeliverable;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import dev.mailroom.worker.smtp.client.SessionOpener.NotBound;
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
 * Transport to the mail servers of the recipients' domains. Domains with the same servers
 * share sessions, and servers of one site share limits and a circuit breaker; without
 * profiles each domain has its own: a slow one delays no other. State that was not used
 * recently is discarded.
 */
@Component
class DirectMx implements Transport, MeterBinder, DisposableBean {

	private static final String NAME = "mx";

	private static final String NO_SESSION = "451 4.4.1 No session with a mail server of ";

	/** Separates a site and a sending address. */
	private static final String FROM = " from ";

	/** Time after which mail is tried again whose sending address was paused or lost. */
	private static final Duration REASSIGN = Duration.ofMillis(100);

	/** The key of a destination does not depend on the account. */
	private static final UUID NO_ACCOUNT = new UUID(0, 0);

	private static final int MAX_DESTINATIONS = 5_000;

	private static final int MAX_DOMAINS = 50_000;

	private static final int MAX_ACCOUNTS = 50_000;

	private static final Duration STATE_TTL = Duration.ofMinutes(10);

	private static final Duration UNANSWERED_TTL = Duration.ofSeconds(30);

	/** Time that a waiting mail has beyond the limit on opening a session. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final MxSettings settings;

	private final Clock clock;

	private final MailServers servers;

	private final MtaSts policies;

	private final Dane dane;

	private final SitePaces paces;

	private final MxSessionOpener opener;

	private final LocalSources sources;

	/** Sites by domain, as DNS had them. */
	private final Cache<String, Site> sites = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterWrite(STATE_TTL)
		.build();

	/** Domains for which there was no answer, or that accept no mail. */
	private final Cache<String, Site> unanswered = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterWrite(UNANSWERED_TTL)
		.build();

	/** By key of the site, while there is an entry. */
	private final Cache<String, SiteState> states = Caffeine.newBuilder().weakValues().build();

	private final Cache<String, Entry> entries = Caffeine.newBuilder()
		.maximumSize(MAX_DESTINATIONS)
		.expireAfterAccess(STATE_TTL)
		.<String, Entry>removalListener((_, entry, _) -> {
			if (entry != null) {
				entry.state().remove(entry.sessions());
				entry.sessions().close();
			}
		})
		.build();

	private final Cache<AccountKey, AccountState> accounts = Caffeine.newBuilder()
		.maximumSize(MAX_ACCOUNTS)
		.expireAfterAccess(STATE_TTL)
		.build();

	DirectMx(MxSettings settings, MailServers servers, MtaSts policies, Dane dane, TlsSessions counts, SitePaces paces,
			LocalSources sources, Clock clock) {
		this.settings = settings;
		this.clock = clock;
		this.servers = servers;
		this.policies = policies;
		this.dane = dane;
		this.paces = paces;
		this.sources = sources;
		this.opener = new MxSessionOpener(NAME, servers, policies, dane, counts, settings);
	}

	@Override
	public String name() {
		return NAME;
	}

	/**
	 * The servers of the domain, if they are known, else the domain; mail that requires
	 * TLS, also by a policy of the domain or by DANE, or has another sending address,
	 * does not share sessions with other mail.
	 */
	@Override
	public String destination(Route route) {
		return destination(route, known(route));
	}

	private String destination(Route route, Site site) {
		return destination(route, site, isStrict(route), this.dane.applies(route.domain()));
	}

	private static String destination(Route route, Site site, boolean strict, boolean dane) {
		String servers = strict ? strictly(route, site)
				: dane ? site.servers() + " by DANE for " + route.domain() : site.servers();
		return (source(route) == null) ? servers : servers + FROM + source(route);
	}

	/** Name of the sending address; null for the one that the system chooses. */
	private static @Nullable String source(Route route) {
		return (route.origin() != null) ? route.origin().source() : null;
	}

	/** Whether every session must be encrypted and its certificate valid. */
	private boolean isStrict(Route route) {
		return route.requiresTls() || this.policies.isEnforced(route.domain());
	}

	private static String strictly(Route route, Site site) {
		return site.servers().equals(route.domain()) ? route.domain() + " by TLS"
				: site.servers() + " by TLS for " + route.domain();
	}

	/** Creates no state: called for destinations whose site is not known yet. */
	@Override
	public int room(Route route) {
		@Nullable Entry entry = this.entries.getIfPresent(destination(route));
		return (entry != null) ? entry.state().room(entry.sessions())
				: Math.min(SiteState.INITIAL_SESSIONS, this.settings.sessions());
	}

	/** Prefers addresses from which the site takes mail now. */
	@Override
	public Assignment assign(Lease lease) {
		Route route = lease.route();
		if (route.origin() == null) {
			return new Assignment(route, Duration.ZERO);
		}
		Site site = known(route);
		return this.sources.assign(lease, route.origin(), site.profile(),
				(source) -> Optional.ofNullable(this.states.getIfPresent(site.key() + FROM + source))
					.flatMap(SiteState::blockedFor)
					.isEmpty());
	}

	/** The site of the domain. */
	@Override
	public Mono<Boolean> lookUp(Route route) {
		return site(route.domain()).thenReturn(true);
	}

	@Override
	public boolean admits(Route route) {
		Site site = known(route);
		return account(route, site).admits() && entry(route, site).state().admits();
	}

	@Override
	public boolean permits(Route route) {
		return route.origin() == null || this.sources.permits(route, known(route).profile());
	}

	/** Creates no state: called for the destinations of all workers. */
	@Override
	public Optional<Duration> closedFor(Route route) {
		Site site = known(route);
		return Optional.ofNullable(this.entries.getIfPresent(destination(route, site)))
			.flatMap((entry) -> entry.state().closedFor())
			.or(() -> Optional.ofNullable(this.accounts.getIfPresent(new AccountKey(route.accountId(), site.key())))
				.flatMap((account) -> account.blockedFor(this.paces.now())));
	}

	/** Sessions with and without required TLS together. */
	@Override
	public Link link(String domain) {
		Route route = new Route(NO_ACCOUNT, domain, null, false);
		return this.paces.isOn() ? link(known(route))
				: link(route).and(link(new Route(NO_ACCOUNT, domain, null, true)));
	}

	/** The connections from all sending addresses. */
	private Link link(Site site) {
		return Stream
			.concat(Stream.of(site.key()), this.sources.names().stream().map((source) -> site.key() + FROM + source))
			.map(this.states::getIfPresent)
			.flatMap(Stream::ofNullable)
			.map((state) -> link(state, state.open(), site))
			.reduce(Link::and)
			.orElse(new Link(0, 0, Circuit.CLOSED, Duration.ZERO, site));
	}

	private Link link(Route route) {
		@Nullable Entry entry = this.entries.getIfPresent(destination(route));
		return (entry != null) ? link(entry.state(), entry.sessions().size(), null) : Link.NONE;
	}

	private static Link link(SiteState state, int open, @Nullable Site site) {
		Duration pause = state.pausedFor();
		return pause.isPositive() ? new Link(open, state.sessions(), Circuit.OPEN, pause, site)
				: new Link(open, state.sessions(), state.breaker().state(), state.breaker().remaining(), site);
	}

	@Override
	public Duration handOverLimit() {
		return this.settings.replyTimeout().plus(this.settings.dotTimeout());
	}

	@Override
	public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
		return site(route.domain()).flatMap((site) -> {
			Entry entry = entry(route, site);
			AccountState account = account(route, site);
			Optional<Duration> closedFor = entry.state().blockedFor().or(() -> account.blockedFor(this.paces.now()));
			if (closedFor.isPresent()) {
				return Mono.error(broken(route.domain(), closedFor.get(), null));
			}
			entry.last().set(route);
			@Nullable String source = source(route);
			if (source != null && !this.sources.isUsable(source)) {
				return Mono.error(withoutSource(source, null));
			}
			return entry.state()
				.makeRoom(entry.sessions())
				.then(Mono.defer(() -> entry.sessions()
					.with((session) -> work.apply(new MonitoredSession(session, entry.state(), account, this.paces,
							this.sources, source, new AtomicBoolean())))))
				.onErrorResume(Undeliverable.class, (error) -> work.apply(new UndeliverableSession(error, this.clock)));
		});
	}

	private static NotOpened withoutSource(String source, @Nullable Throwable error) {
		return NotOpened.notTried("451 4.3.2 The sending address " + source + " is not used now", REASSIGN, error);
	}

	/**
	 * The site of a domain. If DNS does not answer, or the domain accepts no mail, it is
	 * the domain for a short time, and opening a session reports the reason.
	 */
	private Mono<Site> site(String domain) {
		return Mono.defer(() -> {
			this.paces.use();
			@Nullable Site known = this.paces.isOn() ? cached(domain) : Site.of(domain);
			return this.policies.of(domain)
				.then(this.dane.of(domain))
				.then((known != null) ? Mono.just(known) : this.servers.of(domain)
					.map((hosts) -> siteOf(domain, hosts))
					.doOnNext((site) -> this.sites.put(domain, site))
					.onErrorResume(
							(_) -> Mono.just(Site.of(domain)).doOnNext((site) -> this.unanswered.put(domain, site))));
		});
	}

	private Site siteOf(String domain, List<String> hosts) {
		// Without MX records the domain itself is the host.
		return hosts.equals(List.of(domain)) ? Site.of(domain) : this.paces.profiles().site(domain, hosts);
	}

	/** The site as far as it is known without DNS. */
	private Site known(Route route) {
		@Nullable Site cached = cached(route.domain());
		return (cached != null) ? cached : Site.of(route.domain());
	}

	private @Nullable Site cached(String domain) {
		@Nullable Site site = this.sites.getIfPresent(domain);
		return (site != null) ? site : this.unanswered.getIfPresent(domain);
	}

	private AccountState account(Route route, Site site) {
		return this.accounts.get(new AccountKey(route.accountId(), site.key()), (_) -> new AccountState(this.settings));
	}

	private Entry entry(Route route, Site site) {
		boolean strict = isStrict(route);
		boolean dane = this.dane.applies(route.domain());
		return this.entries.get(destination(route, site, strict, dane), (key) -> {
			// Without profiles, mail that requires TLS has limits of its own.
			@Nullable String source = source(route);
			String ofSite = (source == null) ? site.key() : site.key() + FROM + source;
			SiteState state = this.states.get(this.paces.isOn() ? ofSite : key,
					(_) -> new SiteState(site, Objects.requireNonNullElse(source, ""), this.settings, this.paces));
			AtomicReference<Route> last = new AtomicReference<>(route);
			Mono<SmtpSession> opening = opening(state, site, last, strict, dane);
			Duration limit = this.settings.openTimeout().plus(SLACK);
			Function<PoolAcquireTimeoutException, NotOpened> timeout = (error) -> notOpened(error, state,
					route.domain(), new Transcript(this.clock));
			SessionPool pool = this.paces.isOn() ? new SessionPool(opening, state, limit, timeout)
					: new SessionPool(opening, this.settings.sessions(), limit, timeout);
			state.add(pool);
			return new Entry(state, pool, last);
		});
	}

	/**
	 * Opens a session for the domain that the pool was used for last.
	 * @param strict whether it must be encrypted and the certificate valid, whatever the
	 * policy of the domain says by now
	 * @param dane whether the sessions are those of a domain with TLSA records
	 */
	private Mono<SmtpSession> opening(SiteState state, Site site, AtomicReference<Route> last, boolean strict,
			boolean dane) {
		return Mono.defer(() -> {
			Transcript transcript = new Transcript(this.clock);
			Route route = last.get();
			@Nullable String name = source(route);
			@Nullable SendingSource source = (name != null) ? this.sources.usable(name) : null;
			if (name != null && source == null) {
				return Mono.error(withoutSource(name, null));
			}
			Mono<SmtpSession> session = this.opener
				.open(route.domain(), strict, state.leastTls(),
						(hosts) -> isOf(site, route, hosts) && (strict || dane == this.dane.applies(route.domain())),
						source, transcript)
				.timeout(this.settings.openTimeout());
			return state.guard(session).onErrorMap((error) -> error instanceof NotBound && source != null, (error) -> {
				this.sources.absent(Objects.requireNonNull(name));
				return withoutSource(Objects.requireNonNull(name), error);
			})
				.onErrorMap((error) -> !(error instanceof Undeliverable),
						(error) -> notOpened(error, state, route.domain(), transcript));
		});
	}

	/**
	 * Whether the hosts are those of a pool: its sessions serve other domains as well.
	 */
	private boolean isOf(Site site, Route route, List<String> hosts) {
		boolean same = !this.paces.isOn() || siteOf(route.domain(), hosts).servers().equals(site.servers());
		if (!same) {
			this.sites.invalidate(route.domain());
			this.unanswered.invalidate(route.domain());
		}
		return same;
	}

	private static NotOpened broken(String domain, Duration closedFor, @Nullable Throwable error) {
		return NotOpened.notTried(
				NO_SESSION + domain
						+ ": they failed repeatedly or asked for a pause, and are not contacted for a while",
				closedFor, error);
	}

	/** Errors raised on this side, without contacting a server, count no attempt. */
	private static NotOpened notOpened(Throwable error, SiteState state, String domain, Transcript transcript) {
		String prefix = NO_SESSION + domain + ": ";
		return switch (error) {
			case NotOpened reason -> reason;
			case CallNotPermittedException _ -> broken(domain, state.breaker().closedFor().orElse(SLACK), error);
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

	private long count(State wanted) {
		return this.states.asMap().values().stream().filter((state) -> State.of(state) == wanted).count();
	}

	/** Ends every session. */
	@Override
	public void destroy() {
		this.entries.asMap().values().forEach((entry) -> entry.sessions().close());
	}

	private record Entry(SiteState state, SessionPool sessions, AtomicReference<Route> last) {
	}

	/** An account and the key of a site. */
	private record AccountKey(UUID account, String site) {
	}

	/** A session that reports its outcomes to the states of site and account. */
	private record MonitoredSession(Session session, SiteState state, AccountState account, SitePaces paces,
			LocalSources sources, @Nullable String source, AtomicBoolean grown) implements Session {

		@Override
		public boolean isOpen() {
			return this.session.isOpen() && (this.source == null || this.sources.isUsable(this.source))
					&& !this.state.isBlocked() && !this.account.isBlocked(this.paces.now());
		}

		@Override
		public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
			return this.session.hand(envelope, message).doOnError(this.state::failed).map((result) -> {
				Outcome outcome = this.state.completed(result.outcome(), this.account);
				if (this.source != null) {
					String recipient = envelope.recipient();
					this.sources.attempted(this.source, this.state.site().profile(),
							recipient.substring(recipient.lastIndexOf('@') + 1), outcome);
				}
				if (outcome instanceof Outcome.Delivered && this.grown.compareAndSet(false, true)) {
					this.state.grow();
				}
				return outcome.equals(result.outcome()) ? result : new HandOverResult(outcome, result.attempt());
			});
		}

	}

	/** States of a destination. */
	private enum State {

		/** Sessions may be opened. */
		OPEN,
		/** Replies or failures have reduced the sessions or the pace. */
		BACKING_OFF,
		/** The circuit breaker is open: the destination is not contacted for a while. */
		BREAKER_OPEN;

		static State of(SiteState state) {
			return state.breaker().isOpen() ? BREAKER_OPEN : state.isBackingOff() ? BACKING_OFF : OPEN;
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
