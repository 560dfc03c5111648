package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.mailroom.site.Profiles;
import dev.mailroom.site.ReplyRule.Action;
import dev.mailroom.site.Site;
import dev.mailroom.site.SiteMemory;
import dev.mailroom.site.Sites;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Sites as this worker knows them: the profiles, and the pace that was learned.
 * {@link SiteExchange} shares it with the other workers.
 */
@Component
class SitePaces {

	private final boolean on;

	private final Clock clock;

	private final MeterRegistry meters;

	private final Map<Key, SiteMemory> memories = new ConcurrentHashMap<>();

	/** Sites about which this worker has learned something that is not saved. */
	private final Set<Key> unsaved = ConcurrentHashMap.newKeySet();

	private volatile Profiles profiles = Profiles.shipped();

	private volatile int workers = 1;

	private volatile boolean used;

	SitePaces(MxSettings settings, Clock clock, MeterRegistry meters) {
		this.on = settings.profiles();
		this.clock = clock;
		this.meters = meters;
		if (this.on) {
			Profiles.providers()
				.forEach((provider) -> Gauge.builder("mailroom.site.pace", () -> pace(provider))
					.description(
							"Least pace of the sites of a provider as a share of its profile; 0 while one is paused")
					.tag("provider", provider)
					.register(meters));
		}
	}

	/** Whether profiles apply. */
	boolean isOn() {
		return this.on;
	}

	Profiles profiles() {
		return this.profiles;
	}

	/** Notes that direct delivery is used: what others learn matters from now on. */
	void use() {
		this.used = true;
	}

	boolean isUsed() {
		return this.used;
	}

	/** Number of workers that share the limits of sites. */
	int workers() {
		return this.workers;
	}

	Instant now() {
		return this.clock.instant();
	}

	/**
	 * Memory of a site for a sending address; null if nothing was learned. A pause by an
	 * operator is for all addresses.
	 */
	@Nullable SiteMemory memory(Site site, String source) {
		@Nullable SiteMemory own = this.memories.get(new Key(site.key(), source));
		if (source.isEmpty()) {
			return own;
		}
		@Nullable SiteMemory all = this.memories.get(new Key(site.key(), ""));
		boolean paused = all != null && all.pauses() == 0 && all.pausedFor(now()).isPositive();
		return paused ? all : own;
	}

	/** Halves the pace of a site. */
	void slow(Site site, String source, long mailsPerMinute, String reply) {
		learn(site, source, Action.SLOW, (known) -> known.slowed(now(), mailsPerMinute, reply));
	}

	/** Pauses a site; null for a pause that is twice as long as the one before. */
	void pause(Site site, String source, @Nullable Duration duration, String reply) {
		learn(site, source, Action.PAUSE, (known) -> known.paused(now(), duration, reply));
	}

	private void learn(Site site, String source, Action action, UnaryOperator<SiteMemory> change) {
		this.memories.compute(new Key(site.key(), source), (key, known) -> {
			SiteMemory before = (known != null) ? known : SiteMemory.none(site, source, now());
			SiteMemory after = change.apply(before);
			if (!after.equals(before)) {
				this.unsaved.add(key);
				count(site, action);
			}
			return after;
		});
	}

	/** Counts a reply that slowed or paused a site, or paused an account at it. */
	void count(Site site, Action action) {
		this.meters
			.counter("mailroom.site.pauses", "provider", Profiles.label(site.profile()), "action", action.label())
			.increment();
	}

	/** Memories that have to be saved. */
	List<SiteMemory> unsaved() {
		return this.unsaved.stream().map(this.memories::get).toList();
	}

	/**
	 * Takes over what all workers know.
	 * @param saved what was saved before it was read
	 */
	void know(Collection<SiteMemory> saved, Sites.Known known, int workers) {
		this.profiles = known.profiles();
		this.workers = Math.max(1, workers);
		saved.forEach((memory) -> {
			if (memory.equals(this.memories.get(Key.of(memory)))) {
				this.unsaved.remove(Key.of(memory));
			}
		});
		Instant now = now();
		Map<Key, SiteMemory> read = known.memories()
			.stream()
			.filter((memory) -> !memory.isOver(now))
			.collect(Collectors.toMap(Key::of, Function.identity()));
		read.forEach((site, memory) -> this.memories.compute(site,
				(key, present) -> this.unsaved.contains(key) ? present : memory));
		this.memories.keySet()
			.stream()
			.filter((site) -> !read.containsKey(site))
			.forEach((site) -> this.memories.computeIfPresent(site,
					(key, present) -> this.unsaved.contains(key) ? present : null));
	}

	/** The least pace of the sites of a provider. */
	private double pace(String provider) {
		Instant now = now();
		return this.memories.values()
			.stream()
			.filter((memory) -> Profiles.label(memory.profile()).equals(provider))
			.mapToDouble((memory) -> memory.pausedFor(now).isPositive() ? 0 : memory.paceAt(now))
			.min()
			.orElse(1);
	}

	/** A site and a sending address. */
	private record Key(String site, String source) {

		static Key of(SiteMemory memory) {
			return new Key(memory.site(), memory.source());
		}

	}

}
