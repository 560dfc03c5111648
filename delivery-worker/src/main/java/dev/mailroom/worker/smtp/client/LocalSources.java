package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiPredicate;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSource.Presence;
import dev.mailroom.source.SendingSource.State;
import dev.mailroom.source.SendingSources;
import dev.mailroom.source.SourceWarmup;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Sending addresses of this worker, and the choice of one for a mail. A quiet domain gets
 * its mail from one address of the pool, a busy one from all. Without addresses nothing
 * is done.
 */
@Component
public class LocalSources {

	/** Mails a minute to a domain from which on they are divided among all addresses. */
	static final int BUSY = 60;

	private static final int MAX_DOMAINS = 10_000;

	/** Mails whose address is kept for their retries. */
	private static final int MAX_MAILS = 100_000;

	/** Time for which mail waits whose pool has no usable address. */
	private static final Duration EMPTY = Duration.ofSeconds(10);

	private static final Duration RETRY_MEMORY = Duration.ofHours(4);

	/** Time after which an allowance that was used up is asked for again. */
	private static final Duration EXHAUSTED = Duration.ofSeconds(5);

	/** Deferrals for reasons of security or policy (RFC 3463 section 3.8). */
	private static final Pattern POLICY = Pattern.compile("^4\\d\\d[ -]4\\.7\\..*", Pattern.DOTALL);

	private final Supplier<SendingPools> pools;

	private final BiPredicate<SourceWarmup, String> allowance;

	private final Clock clock;

	/** Addresses that this machine has, as they were last tried. */
	private final Map<SendingSource, Presence> present = new ConcurrentHashMap<>();

	private final Cache<String, SiteState.HandedCount> counts = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterAccess(Duration.ofMinutes(2))
		.build();

	/** Addresses of mails to busy domains. */
	private final Cache<UUID, String> assigned = Caffeine.newBuilder()
		.maximumSize(MAX_MAILS)
		.expireAfterWrite(RETRY_MEMORY)
		.build();

	/** Addresses whose server has greylisted a mail, by the domain. */
	private final Cache<String, String> greylisted = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterWrite(RETRY_MEMORY)
		.build();

	/** Warm-ups that permit no further mail to a provider today. */
	private final Cache<SourceAndProvider, Boolean> exhausted = Caffeine.newBuilder()
		.expireAfterWrite(EXHAUSTED)
		.build();

	/** Counts of warm-ups that are not saved. */
	private final Map<SourceAndProvider, SourceWarmup.Counted> counted = new ConcurrentHashMap<>();

	private final Counter over;

	private final MultiGauge presence;

	private final MultiGauge usable;

	private final MultiGauge used;

	private final MultiGauge held;

	@Autowired
	LocalSources(SendingSources sources, Clock clock, MeterRegistry meters) {
		this(sources::known, sources::take, clock, meters);
	}

	LocalSources(Supplier<SendingPools> pools, BiPredicate<SourceWarmup, String> allowance, Clock clock,
			MeterRegistry meters) {
		this.pools = pools;
		this.allowance = allowance;
		this.clock = clock;
		this.presence = MultiGauge.builder("mailroom.source.present")
			.description("Whether this worker has a sending address")
			.register(meters);
		this.over = Counter.builder("mailroom.warmup.over")
			.description(
					"Transactional mails beyond the allowance of a warm-up, because no other address could send them")
			.register(meters);
		this.usable = MultiGauge.builder("mailroom.pool.sources")
			.description("Sending addresses of a pool that this worker may use now")
			.register(meters);
		this.used = MultiGauge.builder("mailroom.warmup.used.ratio")
			.description("Largest used share of today's allowance of a warm-up")
			.register(meters);
		this.held = MultiGauge.builder("mailroom.warmup.held")
			.description("Warm-ups whose allowance does not grow because of replies")
			.register(meters);
	}

	/**
	 * Tries to bind each address, and exports what was found.
	 * @return all addresses; empty if none is configured
	 */
	public List<Presence> probe() {
		SendingPools known = this.pools.get();
		this.present.keySet().retainAll(Set.copyOf(known.sources().values()));
		List<Presence> found = new ArrayList<>();
		for (SendingSource source : known.sources().values()) {
			Presence now = tried(source);
			this.present.put(source, now);
			found.add(now);
		}
		this.presence.register(found
			.stream().<MultiGauge
					.Row<?>>map(
							(one) -> MultiGauge.Row.of(Tags.of("source", one.source()), (one.v4() || one.v6()) ? 1 : 0))
			.toList(), true);
		this.usable.register(known.chosen()
			.stream().<MultiGauge
					.Row<?>>map(
							(pool) -> MultiGauge.Row.of(Tags.of("pool", pool.name()),
									known.usable(pool, (source) -> isUsable(source, false))))
			.toList(), true);
		return found;
	}

	/** Whether an address is warmed up. */
	public boolean isWarmingUp() {
		return !this.pools.get().warmups().isEmpty();
	}

	/** Exports the last sending days of all warm-ups. */
	public void export(List<SourceWarmup.Day> days) {
		Map<String, List<SourceWarmup.Day>> providers = days.stream()
			.collect(Collectors.groupingBy(SourceWarmup.Day::provider));
		this.used.register(rows(providers, (day) -> (double) day.used() / Math.max(1, day.allowance()), Math::max),
				true);
		this.held.register(rows(providers, (day) -> day.held().isEmpty() ? 0 : 1, Double::sum), true);
	}

	private static List<MultiGauge.Row<?>> rows(Map<String, List<SourceWarmup.Day>> providers,
			ToDoubleFunction<SourceWarmup.Day> value, DoubleBinaryOperator together) {
		return providers.entrySet()
			.stream().<MultiGauge
					.Row<?>>map(
							(entry) -> MultiGauge.Row.of(Tags.of("provider", entry.getKey()),
									entry.getValue().stream().mapToDouble(value).reduce(0, together)))
			.toList();
	}

	private static Presence tried(SendingSource source) {
		return new Presence(source.name(), isLocal(source.v4()), isLocal(source.v6()));
	}

	/** Whether this machine has an address; without asking for a port on a wire. */
	static boolean isLocal(@Nullable String address) {
		if (address == null) {
			return false;
		}
		try (Socket socket = new Socket()) {
			socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
			return true;
		}
		catch (IOException _) {
			return false;
		}
	}

	/** Names of all addresses. */
	Set<String> names() {
		return this.pools.get().sources().keySet();
	}

	/** Notes that an address could not be bound; it is tried again by the next probe. */
	void absent(String name) {
		@Nullable SendingSource source = this.pools.get().sources().get(name);
		if (source != null) {
			this.present.put(source, tried(source));
		}
	}

	/** Whether mail may be sent from an address. */
	boolean isUsable(String name) {
		@Nullable SendingSource source = this.pools.get().sources().get(name);
		return source != null && isUsable(source, true);
	}

	/** The address of this name as far as this worker has it; null if it has not. */
	@Nullable SendingSource usable(String name) {
		@Nullable SendingSource source = this.pools.get().sources().get(name);
		if (source == null || !isUsable(source, true)) {
			return null;
		}
		Presence found = this.present.computeIfAbsent(source, LocalSources::tried);
		return new SendingSource(name, found.v4() ? source.v4() : null, found.v6() ? source.v6() : null, null, null,
				source.helo(), source.state(), null);
	}

	private boolean isUsable(SendingSource source, boolean retry) {
		if (!source.isUsable(retry)) {
			return false;
		}
		Presence found = this.present.computeIfAbsent(source, LocalSources::tried);
		return found.v4() || found.v6();
	}

	/**
	 * Chooses the address of a mail. A retry has the one of the attempt before, while it
	 * can be used: greylisting needs that. An address that is warmed up gets first
	 * attempts only, within its allowance.
	 * @param profile name of the profile of the recipient's servers
	 * @param open whether the servers take mail from an address now
	 */
	Transport.Assignment assign(Lease lease, Route.Origin origin, String profile, Predicate<String> open) {
		SendingPools known = this.pools.get();
		String domain = lease.route().domain();
		@Nullable String before = origin.retry() ? this.assigned.getIfPresent(lease.delivery()) : null;
		if (before != null && isUsable(before) && isWarm(before, origin, domain, profile) && open.test(before)) {
			return assigned(lease, origin, before);
		}
		boolean busy = !origin.retry() && isBusy(domain);
		String key = busy ? lease.delivery().toString() : domain;
		Predicate<SendingSource> local = (source) -> isUsable(source, origin.retry());
		Predicate<SendingSource> warm = (source) -> isWarm(source.name(), origin, domain, profile);
		Predicate<SendingSource> preferred = (source) -> open.test(source.name());
		SendingPools.Pick pick = known.pick(origin.pool(), key, local.and(warm), preferred);
		if (pick.waits()) {
			pick = known.pick(origin.pool(), key, local, preferred);
			if (pick.waits()) {
				return new Transport.Assignment(null, EMPTY);
			}
			if (origin.campaign() && !origin.retry()) {
				return new Transport.Assignment(null, untilTomorrow());
			}
		}
		@Nullable SendingSource source = pick.source();
		if (busy && source != null) {
			this.assigned.put(lease.delivery(), source.name());
		}
		return assigned(lease, origin, (source != null) ? source.name() : null);
	}

	/** Whether a warm-up does not keep a mail from an address. */
	private boolean isWarm(String source, Route.Origin origin, String domain, String profile) {
		@Nullable SourceWarmup warmup = this.pools.get().warmups().get(source);
		if (warmup == null || warmup.isFinished(profile)) {
			return true;
		}
		return origin.retry() ? source.equals(this.greylisted.getIfPresent(domain))
				: this.exhausted.getIfPresent(new SourceAndProvider(source, SourceWarmup.provider(profile))) == null;
	}

	/**
	 * Until the next day in UTC has begun, at different times for the mails that wait.
	 */
	private Duration untilTomorrow() {
		Instant now = this.clock.instant();
		Instant tomorrow = now.truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
		return Duration.between(now, tomorrow).plusSeconds(ThreadLocalRandom.current().nextLong(1, 300));
	}

	/**
	 * Takes a mail from the allowance of its address, if that is warmed up; called once
	 * for each mail before its session.
	 * @return false if another address has to be chosen
	 */
	boolean permits(Route route, String profile) {
		Route.@Nullable Origin origin = route.origin();
		if (origin == null || origin.source() == null || origin.retry()) {
			return true;
		}
		SendingPools known = this.pools.get();
		@Nullable SourceWarmup warmup = known.warmups().get(origin.source());
		if (warmup == null || warmup.isFinished(profile)) {
			return true;
		}
		SourceAndProvider key = new SourceAndProvider(origin.source(), SourceWarmup.provider(profile));
		if (this.exhausted.getIfPresent(key) == null && this.allowance.test(warmup, key.provider())) {
			return true;
		}
		this.exhausted.put(key, true);
		boolean only = known
			.pick(origin.pool(), route.domain(),
					(source) -> isUsable(source, false) && isWarm(source.name(), origin, route.domain(), profile))
			.waits();
		if (origin.campaign() || !only) {
			return false;
		}
		this.over.increment();
		count(new SourceWarmup.Counted(key.source(), key.provider(), 1, 0, 0, 0));
		return true;
	}

	/** Counts an attempt from an address that is warmed up. */
	void attempted(String source, String profile, String domain, Outcome outcome) {
		if (!this.pools.get().warmups().containsKey(source)) {
			return;
		}
		boolean blocked = outcome instanceof Outcome.Bounced bounced && bounced.type() == Bounce.Type.BLOCK;
		boolean deferred = false;
		if (outcome instanceof Outcome.Deferred(var reply, var retryAfter)) {
			if (retryAfter != null) {
				this.greylisted.put(domain, source);
			}
			blocked = Bounce.isBlock(reply);
			deferred = retryAfter == null && POLICY.matcher(reply).matches();
		}
		count(new SourceWarmup.Counted(source, SourceWarmup.provider(profile), 0, 1, blocked ? 1 : 0,
				deferred ? 1 : 0));
	}

	private void count(SourceWarmup.Counted added) {
		this.counted.merge(new SourceAndProvider(added.source(), added.provider()), added, SourceWarmup.Counted::and);
	}

	/** Takes the counts that have to be saved. */
	public List<SourceWarmup.Counted> takeCounted() {
		return this.counted.keySet().stream().map(this.counted::remove).flatMap(Stream::ofNullable).toList();
	}

	private static Transport.Assignment assigned(Lease lease, Route.Origin origin, @Nullable String source) {
		return new Transport.Assignment(lease.route().from(origin.from(source)), Duration.ZERO);
	}

	private boolean isBusy(String domain) {
		SiteState.HandedCount count = this.counts.get(domain, (_) -> new SiteState.HandedCount());
		long now = this.clock.millis();
		count.add(now);
		return count.inMinute(now) > BUSY;
	}

	/** An address and the provider of the recipient's servers. */
	private record SourceAndProvider(String source, String provider) {
	}

}
