package dev.mailroom.source;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * All sending addresses, pools and choices at one time. Immutable.
 *
 * <p>
 * The address of a mail follows from a key by weighted rendezvous hashing: while the
 * addresses and weights stay the same, so does the choice, and one address more or less
 * changes the choice of few keys only.
 */
public final class SendingPools {

	/** No pool is chosen for any mail. */
	public static final SendingPools NONE = new SendingPools(List.of(), List.of(), List.of(), Set.of(), List.of());

	private final Map<String, SendingSource> sources;

	private final Map<String, SendingPool> pools;

	private final List<PoolChoice> all;

	private final Map<PoolChoice, String> choices;

	/** Accounts with a choice for one of their domains. */
	private final Set<UUID> ofDomains;

	private final boolean ofPlans;

	private final Map<String, SourceWarmup> warmups;

	/**
	 * Creates the snapshot.
	 * @param ofDomains accounts with a choice for one of their domains
	 */
	public SendingPools(Collection<SendingSource> sources, Collection<SendingPool> pools,
			Collection<PoolChoice> choices, Set<UUID> ofDomains, Collection<SourceWarmup> warmups) {
		this.sources = sources.stream().collect(Collectors.toUnmodifiableMap(SendingSource::name, Function.identity()));
		this.pools = pools.stream().collect(Collectors.toUnmodifiableMap(SendingPool::name, Function.identity()));
		this.all = List.copyOf(choices);
		this.choices = choices.stream()
			.collect(Collectors.toUnmodifiableMap(
					(choice) -> new PoolChoice(choice.kind(), choice.key(), choice.campaign(), ""), PoolChoice::pool));
		this.ofDomains = Set.copyOf(ofDomains);
		this.warmups = warmups.stream()
			.collect(Collectors.toUnmodifiableMap(SourceWarmup::source, Function.identity()));
		this.ofPlans = choices.stream().anyMatch((choice) -> choice.kind() == PoolChoice.Kind.PLAN);
	}

	/** The sending addresses by name. */
	public Map<String, SendingSource> sources() {
		return this.sources;
	}

	/** The pools by name. */
	public Map<String, SendingPool> pools() {
		return this.pools;
	}

	/** Warm-ups by address. */
	public Map<String, SourceWarmup> warmups() {
		return this.warmups;
	}

	/** The pools that are chosen for mail. */
	public List<SendingPool> chosen() {
		return this.pools.values().stream().filter((pool) -> this.choices.containsValue(pool.name())).toList();
	}

	/** All choices. */
	public List<PoolChoice> choices() {
		return this.all;
	}

	/** Whether the pool of a mail of the account depends on its domain. */
	public boolean hasDomainChoice(UUID account) {
		return this.ofDomains.contains(account);
	}

	/**
	 * Whether the pool of a mail follows from its account alone.
	 */
	public boolean isDecidedBy(UUID account) {
		return !hasDomainChoice(account) && !this.ofPlans;
	}

	/**
	 * The choice that applies to a mail, the most specific one; null if there is none.
	 * @param plan the account's plan; null if no plan has a choice
	 * @param domain the sending domain; null if none of the account has a choice
	 */
	public @Nullable PoolChoice choice(UUID account, @Nullable String plan, @Nullable UUID domain, boolean campaign) {
		if (this.choices.isEmpty()) {
			return null;
		}
		@Nullable PoolChoice found = (domain != null) ? find(PoolChoice.Kind.DOMAIN, domain.toString(), campaign) : null;
		if (found == null) {
			found = find(PoolChoice.Kind.ACCOUNT, account.toString(), campaign);
		}
		if (found == null && plan != null) {
			found = find(PoolChoice.Kind.PLAN, plan, campaign);
		}
		return (found != null) ? found : find(PoolChoice.Kind.PLATFORM, "", campaign);
	}

	private @Nullable PoolChoice find(PoolChoice.Kind kind, String key, boolean campaign) {
		@Nullable String pool = this.choices.get(new PoolChoice(kind, key, campaign, ""));
		return (pool != null) ? new PoolChoice(kind, key, campaign, pool) : null;
	}

	/**
	 * The address of a mail.
	 * @param key mails with the same key have the same address
	 * @param usable whether an address can be used now
	 * @param preferred whether an address is used before those that can be used
	 */
	public Pick pick(String pool, String key, Predicate<SendingSource> usable, Predicate<SendingSource> preferred) {
		Set<String> tried = new HashSet<>();
		@Nullable SendingPool next = this.pools.get(pool);
		while (next != null && tried.add(next.name())) {
			@Nullable SendingSource best = best(next, key, usable.and(preferred));
			if (best == null) {
				best = best(next, key, usable);
			}
			if (best != null) {
				return new Pick(next.name(), best, false);
			}
			if (next.whenEmpty() == SendingPool.WhenEmpty.ANY) {
				return new Pick(next.name(), null, false);
			}
			next = (next.fallbackPool() != null) ? this.pools.get(next.fallbackPool()) : null;
		}
		return new Pick(pool, null, true);
	}

	/** The address of a mail, as above without a preference. */
	public Pick pick(String pool, String key, Predicate<SendingSource> usable) {
		return pick(pool, key, usable, (_) -> true);
	}

	/** Number of addresses of a pool that can be used. */
	public long usable(SendingPool pool, Predicate<SendingSource> usable) {
		return pool.members()
			.stream()
			.flatMap((member) -> Stream.ofNullable(this.sources.get(member.source())))
			.filter(usable)
			.count();
	}

	private @Nullable SendingSource best(SendingPool pool, String key, Predicate<SendingSource> usable) {
		@Nullable SendingSource best = null;
		double most = Double.NEGATIVE_INFINITY;
		for (SendingPool.Weighted member : pool.members()) {
			@Nullable SendingSource source = this.sources.get(member.source());
			if (source != null && usable.test(source)) {
				// The largest of these scores belongs to a member with the probability
				// of its weight.
				double score = -member.weight() / Math.log(uniform(key, member.source()));
				if (score > most) {
					most = score;
					best = source;
				}
			}
		}
		return best;
	}

	/** A number between 0 and 1, both excluded, that is evenly distributed over keys. */
	private static double uniform(String key, String source) {
		long hash = 0xcbf29ce484222325L;
		for (byte one : (key + '\n' + source).getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ one) * 0x100000001b3L;
		}
		// The finalizer of SplitMix64, without which similar keys have similar hashes.
		hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
		hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
		hash ^= hash >>> 31;
		return ((hash >>> 11) + 0.5) * 0x1.0p-53;
	}

	/**
	 * The address of a mail.
	 *
	 * @param pool the pool that has it, which may be the fallback of another
	 * @param source null if the operating system chooses it, or the mail waits
	 * @param waits whether there is none now
	 */
	public record Pick(String pool, @Nullable SendingSource source, boolean waits) {
	}

}
