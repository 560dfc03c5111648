package dev.mailroom.operator;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPool;
import dev.mailroom.source.SendingPool.WhenEmpty;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSources;
import dev.mailroom.source.SourceWarmup;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Sending addresses and their pools for operators. */
@Service
public class ManagedSources {

	private static final int MAX_SOURCES = 64;

	private static final int MAX_POOLS = 20;

	private static final int MAX_WEIGHT = 100;

	/** Days of a warm-up. */
	private static final int MAX_DAYS = 100;

	private static final String NAME = "[a-z0-9][a-z0-9-]{0,39}";

	private static final String HOST = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+";

	private final SendingSources sources;

	private final SiteReportStore targets;

	private final Audits audits;

	private final Transactions transactions;

	private final Clock clock;

	ManagedSources(SendingSources sources, SiteReportStore targets, Audits audits, Transactions transactions,
			Clock clock) {
		this.sources = sources;
		this.targets = targets;
		this.audits = audits;
		this.transactions = transactions;
		this.clock = clock;
	}

	/** All sending addresses by name. */
	public Mono<List<Source>> sources(Operator operator) {
		return this.transactions.acrossAccounts(listed());
	}

	private Mono<List<Source>> listed() {
		return Mono.zip(this.sources.stored(), this.sources.present(), this.sources.storedDays())
			.map((read) -> listed(read.getT1(), read.getT2(), read.getT3()));
	}

	private static List<Source> listed(SendingPools stored, Map<String, Integer> present, List<SourceWarmup.Day> days) {
		return stored.sources()
			.values()
			.stream()
			.map((source) -> new Source(source.name(), source.v4(), source.v6(), source.publicV4(), source.publicV6(),
					source.helo(), source.state(), source.listedOn(), present.getOrDefault(source.name(), 0),
					stored.pools()
						.values()
						.stream()
						.filter((pool) -> pool.members().stream().anyMatch((one) -> one.source().equals(source.name())))
						.map(SendingPool::name)
						.sorted()
						.toList(),
					warmup(stored.warmups().get(source.name()), days)))
			.sorted((a, b) -> a.name().compareTo(b.name()))
			.toList();
	}

	private static @Nullable List<WarmupDay> warmup(@Nullable SourceWarmup warmup, List<SourceWarmup.Day> days) {
		return (warmup == null) ? null : SourceWarmup.PROVIDERS.stream().map((provider) -> {
			List<Long> plan = warmup.plan(provider);
			return days.stream()
				.filter((day) -> day.source().equals(warmup.source()) && day.provider().equals(provider))
				.findFirst()
				.map((day) -> new WarmupDay(provider, day.day().toString(), day.step(), plan.size(), day.allowance(),
						day.used(), day.over(), day.attempts(), day.blocked(), day.deferred(),
						day.held().isEmpty() ? null : day.held()))
				.orElse(new WarmupDay(provider, null, 0, plan.size(), plan.getFirst(), 0, 0, 0, 0, 0, null));
		}).toList();
	}

	/** All pools by name. */
	public Mono<List<Pool>> pools(Operator operator) {
		return this.transactions.acrossAccounts(this.sources.stored()
			.zipWith(this.sources.present())
			.flatMap((read) -> Flux.fromIterable(read.getT1().pools().values())
				.sort((a, b) -> a.name().compareTo(b.name()))
				.concatMap((pool) -> pool(pool, read.getT1(), read.getT2()))
				.collectList()));
	}

	private Mono<Pool> pool(SendingPool pool, SendingPools stored, Map<String, Integer> present) {
		int usable = (int) stored.usable(pool,
				(source) -> source.isUsable(false) && present.getOrDefault(source.name(), 0) > 0);
		return Flux.fromIterable(stored.choices())
			.filter((choice) -> choice.pool().equals(pool.name()))
			.concatMap((choice) -> this.targets.label(choice.kind(), choice.key())
				.defaultIfEmpty(choice.key())
				.map((label) -> new Choice(choice.kind(), choice.key(), label, choice.campaign())))
			.collectList()
			.map((choices) -> new Pool(pool.name(), pool.whenEmpty(), pool.fallbackPool(), usable, pool.members(),
					choices));
	}

	/**
	 * Saves a sending address; workers follow the change within seconds.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Source> save(Operator operator, SendingSource source) {
		return Mono.defer(() -> {
			require(source.name().matches(NAME), "name", "must be 1 to 40 lower-case letters, digits and hyphens");
			require(source.v4() != null || source.v6() != null, "v4", "is required, or v6");
			require(source.helo().matches(HOST) && source.helo().length() <= 253, "helo", "must be a domain name");
			SendingSource stored = new SendingSource(source.name(), address("v4", source.v4(), false),
					address("v6", source.v6(), true), address("publicV4", source.publicV4(), false),
					address("publicV6", source.publicV6(), true), source.helo(), source.state(), null);
			return this.transactions.acrossAccounts(this.sources.stored().flatMap((known) -> {
				require(known.sources().containsKey(source.name()) || known.sources().size() < MAX_SOURCES, "name",
						"cannot be added: there are " + MAX_SOURCES + " addresses");
				return this.sources.save(stored, operator.scope().account(), this.clock.instant());
			})
				.then(Mono.defer(() -> audit(operator, Act.SOURCE_SAVED, source.name(),
						Map.of("state", source.state().name().toLowerCase(Locale.ROOT)))))
				.then(Mono.defer(this::listed))
				.map((all) -> all.stream()
					.filter((one) -> one.name().equals(source.name()))
					.findFirst()
					.orElseThrow()));
		});
	}

	/**
	 * Removes a sending address, also from its pools.
	 * @return its name
	 * @throws dev.mailroom.Refused {@code Not found}
	 */
	public Mono<String> removeSource(Operator operator, String name) {
		return this.transactions
			.acrossAccounts(removed(operator, this.sources.removeSource(name), Act.SOURCE_REMOVED, name));
	}

	/**
	 * Starts the warm-up of an address from its first day.
	 * @param large mails on each sending day to each of the large providers; null for the
	 * usual plan
	 * @param other the same for all other servers
	 * @return its name
	 * @throws dev.mailroom.Refused {@code Not found}, {@code Invalid request data}
	 */
	public Mono<String> startWarmup(Operator operator, String source, @Nullable List<Long> large,
			@Nullable List<Long> other) {
		return Mono.defer(() -> {
			SourceWarmup warmup = new SourceWarmup(source, plan("large", large, SourceWarmup.LARGE),
					plan("other", other, SourceWarmup.OTHERS));
			return this.transactions.acrossAccounts(this.sources.stored()
				.filter((known) -> known.sources().containsKey(source))
				.switchIfEmpty(Mono.error(() -> OperationRefusals.NOT_FOUND.because("There is no " + source)))
				.then(Mono.defer(() -> this.sources.start(warmup, operator.scope().account(), this.clock.instant())))
				.then(Mono.defer(() -> audit(operator, Act.SOURCE_WARMUP_STARTED, source, Map.of())))
				.thenReturn(source));
		});
	}

	/**
	 * Ends the warm-up of an address, which then sends without its limits.
	 * @return its name
	 * @throws dev.mailroom.Refused {@code Not found}
	 */
	public Mono<String> stopWarmup(Operator operator, String source) {
		return this.transactions
			.acrossAccounts(removed(operator, this.sources.stop(source), Act.SOURCE_WARMUP_STOPPED, source));
	}

	private static List<Long> plan(String field, @Nullable List<Long> plan, List<Long> usual) {
		if (plan == null) {
			return usual;
		}
		require(!plan.isEmpty() && plan.size() <= MAX_DAYS && plan.stream().allMatch((mails) -> mails >= 1), field,
				"must be 1 to " + MAX_DAYS + " numbers of mails, of at least 1");
		return plan;
	}

	/**
	 * Saves a pool with its addresses.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Pool> save(Operator operator, SendingPool pool) {
		return Mono.defer(() -> {
			require(pool.name().matches(NAME), "name", "must be 1 to 40 lower-case letters, digits and hyphens");
			require((pool.whenEmpty() == WhenEmpty.FALLBACK) == (pool.fallbackPool() != null), "fallbackPool",
					"must name a pool if, and only if, mail uses another one");
			require(!pool.name().equals(pool.fallbackPool()), "fallbackPool", "must be another pool");
			return this.transactions.acrossAccounts(this.sources.stored().flatMap((known) -> {
				check(pool, known);
				return this.sources.save(pool, operator.scope().account(), this.clock.instant());
			})
				.then(Mono.defer(() -> audit(operator, Act.POOL_SAVED, pool.name(), Map.of())))
				.then(Mono.defer(() -> this.sources.stored().zipWith(this.sources.present())))
				.flatMap((read) -> pool(Objects.requireNonNull(read.getT1().pools().get(pool.name())), read.getT1(),
						read.getT2())));
		});
	}

	private static void check(SendingPool pool, SendingPools known) {
		require(known.pools().containsKey(pool.name()) || known.pools().size() < MAX_POOLS, "name",
				"cannot be added: there are " + MAX_POOLS + " pools");
		require(pool.fallbackPool() == null || known.pools().containsKey(pool.fallbackPool()), "fallbackPool",
				"must be the name of a pool");
		Set<String> names = new HashSet<>();
		for (SendingPool.Weighted member : pool.members()) {
			require(known.sources().containsKey(member.source()), "members",
					member.source() + " is no sending address");
			require(names.add(member.source()), "members", member.source() + " is named twice");
			require(member.weight() >= 1 && member.weight() <= MAX_WEIGHT, "members",
					"weights must be from 1 to " + MAX_WEIGHT);
		}
	}

	/**
	 * Removes a pool for which nothing is chosen.
	 * @return its name
	 * @throws dev.mailroom.Refused {@code Not found}, {@code Invalid request data}
	 */
	public Mono<String> removePool(Operator operator, String name) {
		return this.transactions.acrossAccounts(this.sources.stored().flatMap((known) -> {
			require(known.choices().stream().noneMatch((choice) -> choice.pool().equals(name)), "name",
					"is chosen for mail: choose another pool first");
			require(known.pools().values().stream().noneMatch((pool) -> name.equals(pool.fallbackPool())), "name",
					"is the fallback of another pool");
			return removed(operator, this.sources.removePool(name), Act.POOL_REMOVED, name);
		}));
	}

	/**
	 * Chooses the pool of mail, or removes the choice.
	 * @param key id of the domain or account, name of the plan; null for the platform
	 * @param campaign the stream; null for both
	 * @param pool null to remove the choice
	 * @return the pool; empty if the choice was removed
	 * @throws dev.mailroom.Refused {@code Not found}, {@code Invalid request data}
	 */
	public Mono<String> choose(Operator operator, PoolChoice.Kind kind, @Nullable String key,
			@Nullable Boolean campaign, @Nullable String pool) {
		return Mono.defer(() -> {
			String target = (kind == PoolChoice.Kind.PLATFORM) ? "" : OperationRefusals.required("key", key);
			require(kind == PoolChoice.Kind.PLATFORM || kind == PoolChoice.Kind.PLAN || isId(target), "key",
					"must be an id");
			List<Boolean> streams = (campaign != null) ? List.of(campaign) : List.of(false, true);
			Mono<Void> chosen = this.targets.label(kind, target)
				.switchIfEmpty(Mono.error(() -> OperationRefusals.NOT_FOUND.because("There is no such " + word(kind))))
				.then(this.sources.stored())
				.flatMap((known) -> {
					require(pool == null || known.pools().containsKey(pool), "pool", "must be the name of a pool");
					return Flux.fromIterable(streams)
						.concatMap((stream) -> (pool != null)
								? this.sources.choose(new PoolChoice(kind, target, stream, pool))
								: this.sources.removeChoice(kind, target, stream).then())
						.then();
				})
				.then(Mono.defer(() -> audit(operator, Act.POOL_CHOSEN, word(kind) + " " + target,
						(pool != null) ? Map.of("pool", pool) : Map.of())));
			return this.transactions.acrossAccounts(chosen.then(Mono.justOrEmpty(pool)));
		});
	}

	private static boolean isId(String text) {
		try {
			return UUID.fromString(text).toString().equals(text);
		}
		catch (IllegalArgumentException _) {
			return false;
		}
	}

	private static String word(PoolChoice.Kind kind) {
		return kind.name().toLowerCase(Locale.ROOT);
	}

	private Mono<String> removed(Operator operator, Mono<Boolean> removal, Act act, String name) {
		return removal.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> OperationRefusals.NOT_FOUND.because("There is no " + name)))
			.then(Mono.defer(() -> audit(operator, act, name, Map.of())))
			.thenReturn(name);
	}

	private Mono<Void> audit(Operator operator, Act act, String target, Map<String, Object> details) {
		return this.audits.recordOperator(operator.scope(), null, act, target, null, details);
	}

	private static @Nullable String address(String field, @Nullable String text, boolean v6) {
		if (text == null || text.isBlank()) {
			return null;
		}
		try {
			InetAddress address = InetAddress.ofLiteral(text.strip());
			require(v6 ? address instanceof Inet6Address : address instanceof Inet4Address, field,
					"must be an address of IPv" + (v6 ? 6 : 4));
			require(!address.isAnyLocalAddress() && !address.isMulticastAddress(), field, "must be one address");
			return address.getHostAddress();
		}
		catch (IllegalArgumentException ex) {
			throw OperationRefusals.invalid(field, "must be an address of IPv" + (v6 ? 6 : 4));
		}
	}

	private static void require(boolean valid, String field, String message) {
		if (!valid) {
			throw OperationRefusals.invalid(field, message);
		}
	}

	/**
	 * A sending address.
	 *
	 * @param listedOn block list because of which it is paused; null if it is not
	 * @param workers running workers that have it
	 * @param pools names of the pools that it belongs to
	 * @param warmup the last sending day for each provider; null without a warm-up
	 */
	public record Source(String name, @Nullable String v4, @Nullable String v6, @Nullable String publicV4,
			@Nullable String publicV6, String helo, SendingSource.State state, @Nullable String listedOn, int workers,
			List<String> pools, @Nullable List<WarmupDay> warmup) {
	}

	/**
	 * The last sending day of a warm-up for a provider.
	 *
	 * @param day in UTC; null before the first mail
	 * @param step its place in the plan, from 1; 0 before the first mail, and one more
	 * than the plan has without a limit
	 * @param steps days of the plan
	 * @param allowance first attempts that it permits
	 * @param used first attempts that were permitted
	 * @param over transactional mails beyond
	 * @param held why it permits no more than the day before; null if it does
	 */
	public record WarmupDay(String provider, @Nullable String day, int step, int steps, long allowance, long used,
			long over, long attempts, long blocked, long deferred, @Nullable String held) {
	}

	/**
	 * A pool.
	 *
	 * @param usable number of its addresses that a worker has and that send
	 * @param choices mail for which it is chosen
	 */
	public record Pool(String name, WhenEmpty whenEmpty, @Nullable String fallbackPool, int usable,
			List<SendingPool.Weighted> members, List<Choice> choices) {
	}

	/**
	 * Mail for which a pool is chosen.
	 *
	 * @param key id of the domain or account, name of the plan; empty for the platform
	 * @param label its name, for people
	 */
	public record Choice(PoolChoice.Kind kind, String key, String label, boolean campaign) {

		/** The stream of the mail. */
		public String stream() {
			return this.campaign ? "campaign" : "transactional";
		}

	}

	/** Names and weights of the members of a pool, for explanations. */
	static String names(SendingPool pool) {
		return pool.members()
			.stream()
			.map((member) -> member.source() + " (" + member.weight() + ")")
			.collect(Collectors.joining(", "));
	}

}
