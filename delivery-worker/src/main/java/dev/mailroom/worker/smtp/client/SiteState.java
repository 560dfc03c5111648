package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.site.ProviderProfile;
import dev.mailroom.site.ReplyRule;
import dev.mailroom.site.Site;
import dev.mailroom.site.SiteMemory;
import dev.mailroom.worker.smtp.client.MailServers.Undeliverable;
import dev.mailroom.worker.smtp.client.SessionOpener.NotBound;
import dev.mailroom.worker.smtp.client.SessionOpener.RefusedSession;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.pool.AllocationStrategy;

/**
 * Sessions, pace and circuit breaker of one site and sending address in this worker; of a
 * recipient domain without profiles. The number of sessions begins low, increases with
 * accepted mail and is halved after a failure.
 */
final class SiteState {

	static final int INITIAL_SESSIONS = 2;

	/**
	 * Replies that end the session or report that the server is overloaded, regardless of
	 * the sender (RFC 3463 section 3.5). Replies about the sender's reputation (4.7.x)
	 * are not among them: they concern one account.
	 */
	private static final Pattern OVERLOADED = Pattern.compile("^(421\\b|4\\d\\d[ -]4\\.4\\.2\\b).*", Pattern.DOTALL);

	private final Site site;

	/** Name of the sending address; empty for the one that the system chooses. */
	private final String source;

	private final MxSettings settings;

	private final SitePaces paces;

	private final DestinationBreaker breaker;

	private final AtomicInteger sessions;

	/** Open sessions of all pools, with those that are being opened. */
	private final AtomicInteger open = new AtomicInteger();

	private final List<SessionPool> pools = new CopyOnWriteArrayList<>();

	private final Spacing mails = new Spacing();

	private final Spacing connections = new Spacing();

	private final Trials trials = new Trials();

	private final HandedCount handed = new HandedCount();

	SiteState(Site site, String source, MxSettings settings, SitePaces paces) {
		this.site = site;
		this.source = source;
		this.settings = settings;
		this.paces = paces;
		this.sessions = new AtomicInteger(Math.min(INITIAL_SESSIONS, limit()));
		this.breaker = new DestinationBreaker("mx", settings.breakFor(),
				(error) -> isNoFailure(error) || ruleOf(error).isPresent());
	}

	Site site() {
		return this.site;
	}

	/** While it is open, open sessions are not used either. */
	DestinationBreaker breaker() {
		return this.breaker;
	}

	private ProviderProfile profile() {
		return this.paces.profiles().get(this.site.profile());
	}

	/** The present share of the profile's limits. */
	private double pace() {
		@Nullable SiteMemory memory = this.paces.memory(this.site, this.source);
		return (memory != null) ? memory.paceAt(this.paces.now()) : 1;
	}

	/** Sessions that this worker may have. */
	private int limit() {
		return limit(pace());
	}

	private int limit(double pace) {
		if (!this.paces.isOn()) {
			return this.settings.sessions();
		}
		int all = Objects.requireNonNullElse(profile().sessions(), this.settings.sessions());
		return Math.max(1, (int) (all * pace) / this.paces.workers());
	}

	/** Sessions that may currently be in use. */
	int sessions() {
		return Math.min(this.sessions.get(), limit());
	}

	/** Sessions that may currently be in use with the servers of one pool. */
	int room(SessionPool pool) {
		int others = this.pools.stream().filter((one) -> one != pool).mapToInt(SessionPool::inUse).sum();
		return sessions() - others;
	}

	/** Open sessions. */
	int open() {
		return this.open.get();
	}

	int mailsPerSession() {
		return Objects.requireNonNullElse(profile().mailsPerSession(), SessionPool.MAILS_PER_SESSION);
	}

	ProviderProfile.@Nullable LeastTls leastTls() {
		return profile().leastTls();
	}

	/** Adds a pool whose sessions count for this site. */
	void add(SessionPool pool) {
		this.pools.add(pool);
	}

	void remove(SessionPool pool) {
		this.pools.remove(pool);
	}

	/** Whether no further session may be opened. */
	boolean isFull() {
		return open() >= limit();
	}

	/** Whether there are more sessions than the present limit. */
	boolean isOver() {
		return open() > limit();
	}

	/**
	 * Waits until a pool may open a session, if it has no idle one: closes an idle
	 * session of another pool if the site has no other left.
	 * @return an error {@link NotOpened} if no session may be opened now
	 */
	Mono<Void> makeRoom(SessionPool pool) {
		return Mono.defer(() -> {
			if (!this.paces.isOn() || pool.idle() > 0) {
				return Mono.empty();
			}
			if (!this.connections.take(millis(), share(profile().connectionsPerMinute()))) {
				return Mono
					.error(NotOpened.notTried("451 4.4.5 " + this.site.key() + " gets no more sessions this minute",
							this.connections.left(millis()), null));
			}
			if (!isFull()) {
				return Mono.empty();
			}
			return this.pools.stream()
				.filter((other) -> other != pool && other.idle() > 0)
				.findFirst()
				.map(SessionPool::closeIdle)
				.orElse(Mono.error(() -> NotOpened
					.notTried("451 4.4.5 All sessions with " + this.site.key() + " are in use", Spacing.CREDIT, null)));
		});
	}

	/** Counts a mail; false if the site takes none now. */
	boolean admits() {
		@Nullable SiteMemory memory = this.paces.memory(this.site, this.source);
		if (memory == null && profile().mailsPerMinute() == null) {
			return true;
		}
		return this.trials.take(memory, this.paces.now()) && this.mails.take(millis(), mailsPerMinute(memory));
	}

	/** Mails per minute of this worker; 0 without a limit. */
	private double mailsPerMinute(@Nullable SiteMemory memory) {
		@Nullable Integer own = profile().mailsPerMinute();
		double pace = pace();
		double all = (own != null) ? own * pace : (memory != null && pace < 1) ? memory.baseRate() * pace : 0;
		return (all > 0) ? Math.max(1, all / this.paces.workers()) : 0;
	}

	private double share(@Nullable Integer perMinute) {
		return (perMinute != null) ? Math.max(1, perMinute * pace() / this.paces.workers()) : 0;
	}

	/** Rest of a pause; zero if there is none. */
	Duration pausedFor() {
		@Nullable SiteMemory memory = this.paces.memory(this.site, this.source);
		return (memory != null) ? memory.pausedFor(this.paces.now()) : Duration.ZERO;
	}

	/** Whether nothing may be sent, with open sessions neither. */
	boolean isBlocked() {
		return pausedFor().isPositive() || this.breaker.isOpen();
	}

	/** Time for which nothing may be sent. */
	Optional<Duration> blockedFor() {
		Duration pause = pausedFor();
		return pause.isPositive() ? Optional.of(pause) : this.breaker.closedFor();
	}

	/** Time for which no further mail is useful. */
	Optional<Duration> closedFor() {
		Duration next = this.mails.left(millis());
		Duration trial = this.trials.left(this.paces.memory(this.site, this.source), this.paces.now());
		return blockedFor().or(() -> Optional.of((trial.compareTo(next) > 0) ? trial : next)
			.filter((time) -> time.compareTo(Spacing.CREDIT) > 0));
	}

	/** Whether replies have reduced the sessions, or the pace. */
	boolean isBackingOff() {
		return sessions() < Math.min(INITIAL_SESSIONS, limit(1)) || this.paces.memory(this.site, this.source) != null;
	}

	/** Applies the circuit breaker to opening a session and records a failure. */
	<T> Mono<T> guard(Mono<T> opening) {
		return this.breaker.guard(opening.doOnError((error) -> {
			Optional<ReplyRule> rule = ruleOf(error);
			if (rule.isPresent()) {
				apply(rule.get(), ((RefusedSession) error).reply(), null);
			}
			else if (!isNoFailure(error)) {
				shrink();
			}
		}));
	}

	/** Whether DNS or this machine explains the error, or no server was contacted. */
	private static boolean isNoFailure(Throwable error) {
		return error instanceof Undeliverable || error instanceof NotOpened || error instanceof NotBound;
	}

	private Optional<ReplyRule> ruleOf(Throwable error) {
		return (error instanceof RefusedSession refused) ? rule(refused.reply()) : Optional.empty();
	}

	private Optional<ReplyRule> rule(String reply) {
		return this.paces.isOn() ? this.paces.profiles().rule(this.site.profile(), reply) : Optional.empty();
	}

	/** Increases the session limit by one; called once per use of a session. */
	void grow() {
		this.sessions.updateAndGet((now) -> Math.min(limit(), now + 1));
	}

	/**
	 * Records an outcome for the site and the account.
	 * @return the outcome, with the time of the next attempt after greylisting
	 */
	Outcome completed(Outcome outcome, AccountState account) {
		this.handed.add(millis());
		Optional<ReplyRule> rule = switch (outcome) {
			case Outcome.Deferred(var reply, var _) -> rule(reply);
			case Outcome.Bounced(var _, var reply) -> rule(reply);
			default -> Optional.empty();
		};
		if (rule.isPresent()) {
			return applied(rule.get(), outcome, account);
		}
		if (isOverloaded(outcome)) {
			failed(new IOException(((Outcome.Deferred) outcome).reply()));
		}
		else {
			succeeded();
		}
		account.completed(outcome);
		return outcome;
	}

	private Outcome applied(ReplyRule rule, Outcome outcome, AccountState account) {
		String reply = (outcome instanceof Outcome.Deferred deferred) ? deferred.reply()
				: ((Outcome.Bounced) outcome).reply();
		apply(rule, reply, account);
		return (rule.action() == ReplyRule.Action.GREYLIST) ? new Outcome.Deferred(reply, greylisted(reply)) : outcome;
	}

	private Duration greylisted(String reply) {
		return Greylisting.delay(reply)
			.orElse(Duration.ofSeconds(Objects.requireNonNullElse(profile().greylistSeconds(), 360)));
	}

	/** Applies a rule; the account is null if a session was refused. */
	private void apply(ReplyRule rule, String reply, @Nullable AccountState account) {
		@Nullable Duration duration = (rule.seconds() != null) ? Duration.ofSeconds(rule.seconds()) : null;
		switch (rule.action()) {
			case SLOW -> {
				this.paces.slow(this.site, this.source, this.handed.inMinute(millis()) * this.paces.workers(), reply);
				this.sessions.updateAndGet((now) -> Math.min(now, limit()));
			}
			case PAUSE -> {
				this.paces.pause(this.site, this.source, duration, reply);
				this.sessions.set(Math.min(INITIAL_SESSIONS, limit()));
			}
			case PAUSE_ACCOUNT -> {
				if (account != null) {
					account.pause(this.paces.now(), duration);
					this.paces.count(this.site, rule.action());
				}
			}
			case BLOCK -> {
				if (account != null) {
					account.breaker().failed(new IOException(reply));
				}
				succeeded();
			}
			case GREYLIST, IGNORE -> {
				if (account != null) {
					account.breaker().succeeded();
				}
				succeeded();
			}
		}
	}

	private void succeeded() {
		this.breaker.succeeded();
		this.trials.passed(this.paces.memory(this.site, this.source), this.paces.now());
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

	private long millis() {
		return this.paces.now().toEpochMilli();
	}

	/** Permits of a pool, whose sessions count for the site. */
	AllocationStrategy permits() {
		return new Permits();
	}

	/** Permits within the limit of the site. */
	private final class Permits implements AllocationStrategy {

		private final AtomicInteger granted = new AtomicInteger();

		@Override
		public int estimatePermitCount() {
			return Math.max(0, limit() - open());
		}

		@Override
		public int getPermits(int desired) {
			int limit = limit();
			int before = SiteState.this.open
				.getAndUpdate((now) -> Math.max(now, Math.min(limit, now + Math.max(0, desired))));
			int taken = Math.clamp((long) limit - before, 0, Math.max(0, desired));
			this.granted.addAndGet(taken);
			return taken;
		}

		@Override
		public int permitGranted() {
			return this.granted.get();
		}

		@Override
		public int permitMinimum() {
			return 0;
		}

		@Override
		public int permitMaximum() {
			return limit();
		}

		@Override
		public void returnPermits(int returned) {
			SiteState.this.open.addAndGet(-returned);
			this.granted.addAndGet(-returned);
		}

	}

	/** Spaces events evenly, with the credit of a second. Times are in milliseconds. */
	private static final class Spacing {

		static final Duration CREDIT = Duration.ofSeconds(1);

		private static final double MINUTE = Duration.ofMinutes(1).toMillis();

		private long next;

		/** Takes a place; without a limit (0) there is always one. */
		synchronized boolean take(long now, double perMinute) {
			if (perMinute <= 0) {
				this.next = 0;
				return true;
			}
			long interval = Math.round(MINUTE / perMinute);
			// Also after the rate has risen, or the clock was set back.
			this.next = Math.min(this.next, now + interval);
			if (now < this.next) {
				return false;
			}
			this.next = Math.max(this.next, now - CREDIT.toMillis()) + interval;
			return true;
		}

		/** Time until the next place, as it was at the last rate. */
		synchronized Duration left(long now) {
			return Duration.ofMillis(Math.clamp(this.next - now, 0, Math.round(MINUTE)));
		}

	}

	/** Mails that are sent before all others when a pause has ended. */
	private static final class Trials {

		private static final int COUNT = 2;

		/** Time after which trials without an outcome are repeated. */
		private static final Duration REPEAT = Duration.ofMinutes(1);

		/** End of the pause after which a mail was taken. */
		private @Nullable Instant passed;

		private @Nullable Instant tried;

		private Instant since = Instant.EPOCH;

		private int left;

		/** Whether a mail may be sent; during a pause the session is refused. */
		synchronized boolean take(@Nullable SiteMemory memory, Instant now) {
			if (memory == null || isPassed(memory) || memory.pausedFor(now).isPositive()) {
				return true;
			}
			renew(memory, now);
			return this.left-- > 0;
		}

		/**
		 * Time until trials without an outcome are repeated; zero if mail may be sent.
		 */
		synchronized Duration left(@Nullable SiteMemory memory, Instant now) {
			if (memory == null || isPassed(memory)) {
				return Duration.ZERO;
			}
			renew(memory, now);
			return (this.left > 0) ? Duration.ZERO : Spacing.CREDIT.plusMillis(1);
		}

		private void renew(SiteMemory memory, Instant now) {
			if (!Objects.equals(this.tried, memory.pausedUntil()) || now.isAfter(this.since.plus(REPEAT))) {
				this.tried = memory.pausedUntil();
				this.since = now;
				this.left = COUNT;
			}
		}

		private boolean isPassed(SiteMemory memory) {
			return memory.pausedUntil() == null || memory.pausedUntil().equals(this.passed);
		}

		/** Ends the trials after a reply that asks for no pause. */
		synchronized void passed(@Nullable SiteMemory memory, Instant now) {
			if (memory != null && memory.pausedUntil() != null && !memory.pausedFor(now).isPositive()) {
				this.passed = memory.pausedUntil();
			}
		}

	}

	/** Mails handed over in this minute and the one before. */
	static final class HandedCount {

		private static final long MINUTE = Duration.ofMinutes(1).toMillis();

		private long minute;

		private long before;

		private long present;

		synchronized void add(long now) {
			turn(now / MINUTE);
			this.present++;
		}

		/** The larger number of both. */
		synchronized long inMinute(long now) {
			turn(now / MINUTE);
			return Math.max(this.before, this.present);
		}

		private void turn(long number) {
			if (this.minute != number) {
				this.before = (this.minute == number - 1) ? this.present : 0;
				this.present = 0;
				this.minute = number;
			}
		}

	}

}
