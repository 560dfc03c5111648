package dev.mailroom.operator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.EmailAddress.AsciiDomain;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.NameServers;
import dev.mailroom.operator.Explanation.Step;
import dev.mailroom.site.Profiles;
import dev.mailroom.site.ProviderProfile;
import dev.mailroom.site.ReplyRule;
import dev.mailroom.site.Site;
import dev.mailroom.site.SiteMemory;
import dev.mailroom.site.Sites;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPool;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSources;
import dev.mailroom.source.SourceWarmup;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Sites, profiles of providers and policies about TLS for operators. */
@Service
public class ManagedSites {

	private static final int MAX_PROFILES = 200;

	private static final int MAX_RULES = 50;

	private static final int MAX_SUFFIXES = 50;

	private static final int MAX_SESSIONS = 1_000;

	private static final int MAX_RATE = 1_000_000;

	/** Longest delay after greylisting: four hours. */
	private static final int MAX_GREYLIST = 14_400;

	private static final int MAX_SITE = 300;

	private static final Duration LONGEST_PAUSE = Duration.ofDays(30);

	private static final DateTimeFormatter UNTIL = DateTimeFormatter
		.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static final String NAME = "[a-z0-9][a-z0-9-]{0,39}";

	private static final String SUFFIX = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+";

	private final Sites sites;

	private final SiteReportStore reports;

	private final SendingSources sources;

	private final NameServers servers;

	private final Audits audits;

	private final Transactions transactions;

	private final Clock clock;

	ManagedSites(Sites sites, SiteReportStore reports, SendingSources sources, NameServers servers, Audits audits,
			Transactions transactions, Clock clock) {
		this.sites = sites;
		this.reports = reports;
		this.sources = sources;
		this.servers = servers;
		this.audits = audits;
		this.transactions = transactions;
		this.clock = clock;
	}

	/** All profiles: those of operators before the shipped ones. */
	public Mono<List<ProviderProfile>> profiles(Operator operator) {
		return this.transactions.acrossAccounts(this.sites.profiles().map(Profiles::all));
	}

	/** Sites contacted recently, those with most mail first, and then all slowed ones. */
	public Mono<List<ManagedSite>> list(Operator operator) {
		return this.transactions.acrossAccounts(list());
	}

	/**
	 * Policies about TLS of recipients' domains that apply now, those that refused the
	 * last session first.
	 */
	public Mono<List<TlsDemand>> tlsDemands(Operator operator) {
		return this.transactions.acrossAccounts(this.reports.tlsDemands().collectList());
	}

	private Mono<List<ManagedSite>> list() {
		return this.reports.reports().collectList().zipWith(this.sites.memories(), (reports, memories) -> {
			Instant now = this.clock.instant();
			Map<String, ManagedSite.Report> live = reports.stream()
				.collect(Collectors.toMap(ManagedSite.Report::site, Function.identity()));
			Map<String, SiteMemory> learned = memories.stream()
				.filter((memory) -> !memory.isOver(now))
				.collect(Collectors.toMap(SiteMemory::site, Function.identity(), (a, b) -> slower(a, b, now)));
			Set<String> names = new LinkedHashSet<>();
			reports.forEach((report) -> names.add(report.site()));
			memories.stream().map(SiteMemory::site).filter(learned::containsKey).forEach(names::add);
			return names.stream().map((site) -> ManagedSite.of(live.get(site), learned.get(site), site, now)).toList();
		});
	}

	/** Of two memories of a site, for different addresses, the one that permits less. */
	private static SiteMemory slower(SiteMemory a, SiteMemory b, Instant now) {
		int paused = a.pausedFor(now).compareTo(b.pausedFor(now));
		return (paused > 0 || (paused == 0 && a.paceAt(now) <= b.paceAt(now))) ? a : b;
	}

	/**
	 * Saves a profile: of the shipped one, what differs.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<ProviderProfile> save(Operator operator, ProviderProfile profile) {
		return Mono.defer(() -> {
			check(profile);
			Mono<ProviderProfile> saved = this.sites.profiles().filter((profiles) -> {
				List<String> names = profiles.all().stream().map(ProviderProfile::name).toList();
				return names.contains(profile.name()) || names.size() < MAX_PROFILES;
			})
				.switchIfEmpty(Mono.error(() -> OperationRefusals.invalid("name",
						"cannot be added: there are " + MAX_PROFILES + " profiles")))
				.then(Mono.defer(() -> this.sites.save(profile, operator.scope().account(), this.clock.instant())))
				.then(Mono.defer(() -> audit(operator, Act.PROFILE_SAVED, profile.name())))
				.then(Mono.defer(this.sites::profiles))
				.map((profiles) -> profiles.get(profile.name()));
			return this.transactions.acrossAccounts(saved);
		});
	}

	/**
	 * Removes the changes of a profile, or a profile that is not shipped.
	 * @return its name
	 * @throws dev.mailroom.Refused {@code Not found} if there are no changes
	 */
	public Mono<String> reset(Operator operator, String name) {
		return remove(operator, this.sites.reset(name), Act.PROFILE_RESET, name, " has no changes");
	}

	/**
	 * Forgets what was learned about a site: workers send at the pace of its profile
	 * within ten seconds.
	 * @return its name
	 * @throws dev.mailroom.Refused {@code Not found} if nothing was learned
	 */
	public Mono<String> forget(Operator operator, String site) {
		return remove(operator, this.sites.forget(site), Act.SITE_FORGOTTEN, site, " is neither slowed nor paused");
	}

	/**
	 * Pauses a site until a time, without attempts of its mail.
	 * @return its name
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<String> pause(Operator operator, String site, @Nullable String reason, Instant until) {
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			require(!site.isBlank() && site.length() <= MAX_SITE, "site", "must be the name of a site");
			require(until.isAfter(now) && until.isBefore(now.plus(LONGEST_PAUSE)), "until",
					"must be in the next 30 days");
			String why = OperationRefusals.required("reason", reason);
			Mono<String> paused = list()
				.map((all) -> all.stream()
					.filter((one) -> one.site().equals(site))
					.map(ManagedSite::profile)
					.findFirst()
					.orElse(Profiles.shipped().get(site).name()))
				.flatMap((profile) -> this.sites.pause(site, profile, until, why, now))
				.then(Mono.defer(() -> this.audits.recordOperator(operator.scope(), null, Act.SITE_PAUSED, site, why,
						Map.of("until", until.toString()))))
				.thenReturn(site);
			return this.transactions.acrossAccounts(paused);
		});
	}

	private Mono<String> remove(Operator operator, Mono<Boolean> removal, Act act, String name, String otherwise) {
		return this.transactions.acrossAccounts(removal.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> OperationRefusals.NOT_FOUND.because(name + otherwise)))
			.then(Mono.defer(() -> audit(operator, act, name)))
			.thenReturn(name));
	}

	private Mono<Void> audit(Operator operator, Act act, String target) {
		return this.audits.recordOperator(operator.scope(), null, act, target, null, Map.of());
	}

	private static void check(ProviderProfile profile) {
		require(profile.name().matches(NAME), "name", "must be 1 to 40 lower-case letters, digits and hyphens");
		boolean shipped = Profiles.shipped().all().stream().anyMatch((one) -> one.name().equals(profile.name()));
		List<String> suffixes = Objects.requireNonNullElse(profile.suffixes(), List.of());
		require(shipped || !suffixes.isEmpty(), "suffixes", "are required: ends of the names of its MX hosts");
		require(suffixes.size() <= MAX_SUFFIXES && suffixes.stream().allMatch((suffix) -> suffix.matches(SUFFIX)),
				"suffixes", "must be at most " + MAX_SUFFIXES + " domain names, such as example.com");
		range("sessions", profile.sessions(), MAX_SESSIONS);
		range("mailsPerSession", profile.mailsPerSession(), MAX_RATE);
		range("mailsPerMinute", profile.mailsPerMinute(), MAX_RATE);
		range("connectionsPerMinute", profile.connectionsPerMinute(), MAX_RATE);
		range("greylistSeconds", profile.greylistSeconds(), MAX_GREYLIST);
		List<ReplyRule> rules = Objects.requireNonNullElse(profile.rules(), List.of());
		require(rules.size() <= MAX_RULES, "rules", "must be at most " + MAX_RULES);
		for (ReplyRule rule : rules) {
			range("rules", rule.seconds(), ReplyRule.MAX_SECONDS);
			try {
				rule.compile();
			}
			catch (IllegalArgumentException ex) {
				throw OperationRefusals.invalid("rules", "The pattern " + rule.pattern() + " " + ex.getMessage());
			}
		}
	}

	private static void range(String field, @Nullable Integer value, int max) {
		require(value == null || (value >= 1 && value <= max), field, "must be from 1 to " + max);
	}

	private static void require(boolean valid, String field, String message) {
		if (!valid) {
			throw OperationRefusals.invalid(field, message);
		}
	}

	/**
	 * The way that a mail would take now, without sending it.
	 * @param domain the sending domain
	 * @param stream transactional or campaign
	 * @param recipient an address, or its domain
	 * @throws dev.mailroom.Refused {@code Not found} if there is no such account, or
	 * {@code Invalid request data}
	 */
	public Mono<List<Explanation>> explain(Operator operator, UUID account, String domain, String stream,
			String recipient) {
		return Mono.defer(() -> {
			String destination = AsciiDomain
				.of(recipient.substring(recipient.lastIndexOf('@') + 1).strip().toLowerCase(Locale.ROOT))
				.filter((name) -> name.matches(SUFFIX))
				.orElseThrow(() -> OperationRefusals.invalid("recipient", "must be an address, or a domain name"));
			return this.servers.mailHosts(destination)
				.flatMap(
						(hosts) -> this.transactions.acrossAccounts(Mono.zip(
								this.reports
									.choices(account, domain.toLowerCase(Locale.ROOT), destination,
											stream.equals("campaign"))
									.switchIfEmpty(Mono.error(() -> OperationRefusals.missing(account))),
								this.sites.profiles(), list(), this.sources.stored(), this.sources.present(),
								this.sources.storedDays())
							.map((known) -> {
								Site site = hosts.map((found) -> known.getT2().site(destination, found))
									.orElse(Site.of(destination));
								List<Explanation> origin = origin(
										new Origin(account, known.getT1(), stream.equals("campaign"), destination,
												SourceWarmup.provider(site.profile())),
										known.getT4(), known.getT5(),
										used(known.getT4(), known.getT6(), site.profile()));
								return explanation(known.getT1(), origin, known.getT2(), known.getT3(), destination,
										site, hosts);
							})));
		});
	}

	/** Addresses whose warm-up permits no more first attempts to a provider today. */
	private Set<String> used(SendingPools pools, List<SourceWarmup.Day> days, String profile) {
		LocalDate today = LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
		return days.stream()
			.filter((day) -> day.provider().equals(SourceWarmup.provider(profile)) && day.day().equals(today)
					&& day.used() >= day.allowance())
			.map(SourceWarmup.Day::source)
			.filter((source) -> Stream.ofNullable(pools.warmups().get(source))
				.anyMatch((warmup) -> !warmup.isFinished(profile)))
			.collect(Collectors.toSet());
	}

	/**
	 * The steps of pool and sending address; empty if no pool is chosen.
	 * @param used addresses whose warm-up permits no more
	 */
	private static List<Explanation> origin(Origin mail, SendingPools pools, Map<String, Integer> present,
			Set<String> used) {
		String destination = mail.destination();
		@Nullable PoolChoice choice = pools.choice(mail.account(), mail.route().plan(), mail.route().domainId(), mail.campaign());
		if (choice == null) {
			return List.of();
		}
		@Nullable SendingPool pool = pools.pools().get(choice.pool());
		Explanation chosen = new Explanation(Step.POOL, choice.pool(), "It is chosen for " + switch (choice.kind()) {
			case DOMAIN -> "the sending domain";
			case ACCOUNT -> "the account";
			case PLAN -> "the plan " + mail.route().plan();
			case PLATFORM -> "all other mail";
		} + " and this stream. Its addresses with their weights: "
				+ ((pool != null) ? ManagedSources.names(pool) : "none") + ".");
		Predicate<SendingSource> local = (source) -> source.isUsable(false)
				&& present.getOrDefault(source.name(), 0) > 0;
		SendingPools.Pick pick = pools.pick(choice.pool(), destination,
				local.and((source) -> !used.contains(source.name())));
		if (pick.waits()) {
			pick = pools.pick(choice.pool(), destination, local);
		}
		@Nullable SendingSource source = pick.source();
		if (source != null) {
			return List.of(chosen, new Explanation(Step.SOURCE, source.name(),
					(pick.pool().equals(choice.pool()) ? "" : "It is one of the fallback pool " + pick.pool() + ". ")
							+ "Its name in EHLO is " + source.helo() + ". Mail to " + destination
							+ " has this address while there are at most 60 a minute; more is divided by weight."
							+ warmup(mail, source.name(), used)));
		}
		return List.of(chosen,
				pick.waits()
						? new Explanation(Step.SOURCE, "none",
								"No worker has an active address of the pool: the mail waits without an attempt.")
						: new Explanation(Step.SOURCE, "any",
								"No worker has an active address of the pool, which then permits any address."));
	}

	/** The effect of warm-ups on the choice of an address; empty if they have none. */
	private static String warmup(Origin mail, String source, Set<String> used) {
		if (used.contains(source)) {
			return " Its warm-up permits no more first attempts to the provider " + mail.provider() + " today, "
					+ (mail.campaign() ? "and campaign mail waits for the next day of UTC."
							: "and the mail is sent beyond the allowance, because no other address can send it.");
		}
		return used.isEmpty() ? "" : " The warm-up of " + String.join(", ", new TreeSet<>(used))
				+ " permits no more first attempts to the provider " + mail.provider() + " today.";
	}

	private static List<Explanation> explanation(SiteReportStore.Choices route, List<Explanation> origin,
			Profiles profiles, List<ManagedSite> sites, String destination, Site site, Optional<List<String>> hosts) {
		List<Explanation> steps = new ArrayList<>();
		steps.add(transport(route));
		stop(steps, route.pausedReason(), "The account is paused");
		stop(steps, route.holdReason(), destination + " is held");
		stop(steps, route.queueReason(), "This stream of the queue is paused");
		steps.addAll(origin);
		steps.add(new Explanation(Step.SITE, site.key(),
				hosts
					.map((found) -> found.isEmpty() ? destination + " has no MX records."
							: "The MX hosts of " + destination + " are " + String.join(", ", found) + ".")
					.orElse("The name servers did not answer for " + destination
							+ ": until they do, the domain is its own site.")));
		steps.add(new Explanation(Step.PROFILE, site.profile(), limits(profiles.get(site.profile()))));
		Optional<ManagedSite> live = sites.stream().filter((one) -> one.site().equals(site.key())).findFirst();
		double pace = live.map(ManagedSite::pace).orElse(1.0);
		@Nullable String reply = live.map(ManagedSite::reply).orElse(null);
		steps.add(new Explanation(Step.PACE, Math.round(pace * 100) + " %",
				(pace < 1 && reply != null) ? "Learned from: " + reply : "No reply slows the site."));
		steps.add(new Explanation(Step.CIRCUIT,
				live.map(ManagedSite::circuit).orElse(Circuit.CLOSED).name().toLowerCase(Locale.ROOT),
				live.map((one) -> sessions(one, pace < 1 ? null : reply))
					.orElse("No worker has contacted the site in the last ten minutes.")));
		steps.add(tlsPolicy(route, destination));
		return steps;
	}

	/** Open sessions of a site, and until when it gets no mail, with the reason. */
	private static String sessions(ManagedSite site, @Nullable String reason) {
		String open = (site.connectionLimit() == 0) ? "No session is open"
				: "%d of %d sessions are open".formatted(site.connections(), site.connectionLimit());
		if (site.closedUntil() == null) {
			return open + ".";
		}
		return open + "; nothing is sent until " + UNTIL.format(site.closedUntil()) + "."
				+ ((reason != null) ? " Learned last: " + reason : "");
	}

	/** DANE decides where it applies (RFC 8461 section 2). */
	private static Explanation tlsPolicy(SiteReportStore.Choices route, String destination) {
		String own = route.requireTls() ? " The sending domain demands TLS." : "";
		if (route.daneResult() != null) {
			return new Explanation(Step.TLS_POLICY, "dane", "Servers of " + destination
					+ " have had TLSA records that DNSSEC proves. The last session: " + route.daneResult() + "." + own);
		}
		return (route.stsMode() != null)
				? new Explanation(Step.TLS_POLICY, "mta_sts",
						"The policy of " + destination + " is in the mode " + route.stsMode() + ". The last session: "
								+ Objects.requireNonNullElse(route.stsResult(), "none yet") + "." + own)
				: new Explanation(Step.TLS_POLICY, "none", "No worker has found a policy of " + destination
						+ " about TLS; it is looked up when a session is opened." + own);
	}

	private static void stop(List<Explanation> steps, @Nullable String reason, String what) {
		if (reason != null) {
			steps.add(new Explanation(Step.STOP, what, reason));
		}
	}

	private static Explanation transport(SiteReportStore.Choices route) {
		if (route.domainTransport() != null) {
			return new Explanation(Step.TRANSPORT, route.domainTransport(), "It is chosen for the sending domain.");
		}
		return (route.accountTransport() != null)
				? new Explanation(Step.TRANSPORT, route.accountTransport(), "It is chosen for the account.")
				: new Explanation(Step.TRANSPORT, "default",
						"Neither domain nor account has a choice: MAILROOM_TRANSPORT of the workers applies.");
	}

	private static String limits(ProviderProfile profile) {
		List<String> limits = new ArrayList<>();
		limits.add((profile.sessions() != null) ? profile.sessions() + " sessions" : "MAILROOM_MX_SESSIONS sessions");
		limit(limits, profile.mailsPerSession(), " mails a session");
		limit(limits, profile.mailsPerMinute(), " mails a minute");
		limit(limits, profile.connectionsPerMinute(), " new sessions a minute");
		if (profile.leastTls() != null) {
			limits.add("TLS " + profile.leastTls().name().toLowerCase(Locale.ROOT));
		}
		return "Its limits, shared by all workers: " + String.join(", ", limits) + ".";
	}

	private static void limit(List<String> limits, @Nullable Integer value, String unit) {
		if (value != null) {
			limits.add(value + unit);
		}
	}

	/** A mail whose pool and sending address are explained. */
	private record Origin(UUID account, SiteReportStore.Choices route, boolean campaign, String destination,
			String provider) {
	}

}
