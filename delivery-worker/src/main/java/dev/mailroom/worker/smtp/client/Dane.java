package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.mailroom.tlspolicy.DaneDomains;
import dev.mailroom.worker.smtp.client.SecureDns.Answer;
import dev.mailroom.worker.smtp.client.Tlsa.Kind;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.Record;
import org.xbill.DNS.TLSARecord;
import org.xbill.DNS.Type;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * DANE for outgoing mail (RFC 7672): the TLSA records of the servers of recipients'
 * domains, looked up when a session is opened. DNSSEC is tested every minute; while it
 * does not work, only mail to domains waits that are known to have such records.
 */
@Component
class Dane implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Dane.class);

	private static final int MAX_DOMAINS = 50_000;

	/** Servers of a domain that are looked up; others get no mail. */
	private static final int MAX_HOSTS = 20;

	private static final Duration TEST_INTERVAL = Duration.ofMinutes(1);

	/** Time for which a failure is known, also that of a look-up in the database. */
	private static final Duration AGAIN = Duration.ofSeconds(10);

	private static final Protection NONE = Protection.none(Duration.ZERO);

	private final AsyncCache<String, Protection> domains = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfter(Expiry.<String, Protection>creating((_, found) -> found.ttl()))
		.buildAsync();

	/** Servers, which many domains share. */
	private final AsyncCache<String, Tlsa> hosts = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfter(Expiry.<String, Tlsa>creating((_, found) -> found.ttl()))
		.buildAsync();

	/** Whether a domain had records when it was looked up last. */
	private final Cache<String, Boolean> known = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterAccess(Duration.ofHours(1))
		.build();

	/** Stored domains, read while DNSSEC does not work. */
	private final Cache<String, Boolean> remembered = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterWrite(AGAIN)
		.build();

	/** Results that this worker has stored lately. */
	private final Cache<String, String> saved = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterWrite(Duration.ofDays(1))
		.build();

	private final DnssecSettings settings;

	private final int port;

	private final SecureDns dns;

	private final Predicate<String> seen;

	private final BiConsumer<String, String> save;

	private final MeterRegistry registry;

	private final Duration interval;

	/** Result of the last test, or the first test. */
	private volatile Mono<Boolean> available = Mono.defer(this::test).cache();

	private volatile boolean works = true;

	private @Nullable Disposable timer;

	@Autowired
	Dane(DnssecSettings settings, MxSettings mx, SecureDns dns, DaneDomains domains, MeterRegistry registry) {
		this(settings, mx.port(), dns, (domain) -> domains.find(domain).isPresent(), domains::save, registry,
				TEST_INTERVAL);
	}

	/**
	 * Creates the look-ups.
	 * @param seen whether any worker has seen records of a domain lately
	 * @param save stores a domain with the result of a session
	 * @param interval time between two tests of DNSSEC
	 */
	Dane(DnssecSettings settings, int port, SecureDns dns, Predicate<String> seen, BiConsumer<String, String> save,
			MeterRegistry registry, Duration interval) {
		this.settings = settings;
		this.port = port;
		this.dns = dns;
		this.seen = seen;
		this.save = save;
		this.registry = registry;
		this.interval = interval;
		if (dns.isOn()) {
			Gauge.builder("mailroom.dnssec.available", () -> this.works ? 1 : 0)
				.description("Whether the last test of DNSSEC succeeded")
				.register(registry);
		}
	}

	/** The protection of a domain. Never fails. */
	Mono<Protection> of(String domain) {
		if (!this.settings.dane()) {
			return Mono.just(NONE);
		}
		return Mono.defer(() -> this.available)
			.flatMap((works) -> works ? found(domain) : unavailable(domain))
			.doOnNext((protection) -> {
				if (protection.failure().isEmpty()) {
					this.known.put(domain, protection.applies());
				}
			});
	}

	/** Whether a domain is known to have servers with TLSA records. */
	boolean applies(String domain) {
		return Boolean.TRUE.equals(this.known.getIfPresent(domain));
	}

	/**
	 * Counts a session, or one that was refused.
	 * @param proved whether the domain is remembered: it has TLSA records
	 */
	void count(String domain, boolean proved, String result) {
		count(result);
		if (proved && !result.equals(this.saved.getIfPresent(domain))) {
			this.saved.put(domain, result);
			Mono.fromRunnable(() -> this.save.accept(domain, result))
				.subscribeOn(Schedulers.boundedElastic())
				.subscribe((_) -> {
				}, (error) -> {
					this.saved.invalidate(domain);
					log.warn("It could not be stored that {} has TLSA records: {}", domain, error.toString());
				});
		}
	}

	private void count(String result) {
		this.registry.counter("mailroom.tls.policy", "policy", "dane", "result", result).increment();
	}

	/** Tests DNSSEC now. What was found before it failed, or meanwhile, is forgotten. */
	Mono<Boolean> test() {
		return this.dns.test().doOnNext((now) -> {
			if (now != this.works) {
				if (now) {
					log.info("DNSSEC is available again");
				}
				else {
					log.warn("DNSSEC is not available: the keys of the root zone are not validated. The name servers "
							+ "may not validate, or the clock may be wrong");
				}
				this.works = now;
				this.domains.synchronous().invalidateAll();
				this.hosts.synchronous().invalidateAll();
			}
			this.available = Mono.just(now);
		});
	}

	/**
	 * The protection of a domain, by DNS. If it seems to have ended, DNSSEC is tested
	 * first.
	 */
	private Mono<Protection> found(String domain) {
		return Mono.fromFuture(() -> this.domains.get(domain, (_, _) -> lookUp(domain).toFuture()), true)
			.flatMap((protection) -> (applies(domain) && !protection.applies() && protection.failure().isEmpty())
					? test().flatMap((works) -> works ? Mono.just(protection) : unavailable(domain))
					: Mono.just(protection));
	}

	private Mono<Protection> unavailable(String domain) {
		return isRemembered(domain).map((waits) -> {
			if (!waits) {
				return NONE;
			}
			count("unavailable");
			return new Protection(false, List.of(), Map.of(),
					"DNSSEC is not available now, and mail to " + domain + " is not sent without it", true, AGAIN);
		});
	}

	private Mono<Boolean> isRemembered(String domain) {
		if (this.settings.strict() || applies(domain)) {
			return Mono.just(true);
		}
		@Nullable Boolean before = this.remembered.getIfPresent(domain);
		return (before != null) ? Mono.just(before)
				: Mono.fromCallable(() -> this.seen.test(domain))
					.subscribeOn(Schedulers.boundedElastic())
					.onErrorReturn(true)
					.doOnNext((found) -> this.remembered.put(domain, found));
	}

	private Mono<Protection> lookUp(String domain) {
		return Mono.defer(() -> this.dns.ask(SecureDns.name(domain), Type.MX))
			.flatMap((answer) -> (answer.secure() && answer.exists()) ? servers(domain, answer)
					: Mono.just(Protection.none(answer.ttl())))
			.onErrorResume((error) -> {
				count("dns_failed");
				return Mono.just(new Protection(false, List.of(), Map.of(),
						"The mail servers of " + domain + " cannot be proved: " + error.getMessage(), false, AGAIN));
			});
	}

	/** Servers of a domain whose MX records, or their absence, are proved. */
	private Mono<Protection> servers(String domain, Answer mx) {
		List<String> targets = mx.records()
			.stream()
			.map((record) -> ((MXRecord) record).getTarget())
			.filter((target) -> !target.equals(Name.root))
			.map((target) -> target.toString(true).toLowerCase(Locale.ROOT))
			.distinct()
			.limit(MAX_HOSTS)
			.toList();
		return Flux.fromIterable(mx.records().isEmpty() ? List.of(domain) : targets)
			.flatMap((host) -> Mono.fromFuture(() -> this.hosts.get(host, (_, _) -> host(host).toFuture()), true)
				.map((tlsa) -> Map.entry(host, tlsa)))
			.collectMap(Map.Entry::getKey, Map.Entry::getValue)
			.map((found) -> new Protection(true, mx.records(), found, "", false,
					Stream.concat(Stream.of(mx.ttl()), found.values().stream().map(Tlsa::ttl))
						.min(Duration::compareTo)
						.orElseThrow()));
	}

	/** The demands of a server (RFC 7672 section 2.2.2). */
	private Mono<Tlsa> host(String host) {
		return Mono.defer(() -> {
			Name name = SecureDns.name(host);
			return Flux.just(Type.A, Type.AAAA)
				.flatMapSequential((type) -> this.dns.ask(name, type).materialize())
				.filter((signal) -> !signal.isOnComplete())
				.collectList()
				.flatMap((signals) -> {
					List<Answer> answers = signals.stream()
						.flatMap((signal) -> Stream.ofNullable(signal.get()))
						.toList();
					@Nullable Throwable error = signals.stream()
						.flatMap((signal) -> Stream.ofNullable(signal.getThrowable()))
						.findFirst()
						.orElse(null);
					return bases(name, answers, error)
						.flatMap((bases) -> tlsa(bases, answers.isEmpty() ? AGAIN : answers.getFirst().ttl()));
				});
		}).onErrorResume((error) -> {
			count("dns_failed");
			return Mono.just(Tlsa.failed(String.valueOf(error.getMessage())));
		});
	}

	/**
	 * Names below which TLSA records may be, best first. None if its addresses are not
	 * proved: name servers of such hosts may not even answer the question.
	 */
	private Mono<List<Name>> bases(Name host, List<Answer> answers, @Nullable Throwable error) {
		List<Answer> found = answers.stream().filter((answer) -> !answer.records().isEmpty()).toList();
		for (Answer answer : found) {
			if (answer.secure()) {
				return Mono.just(answer.alias() ? List.of(answer.name(), host) : List.of(host));
			}
		}
		if (answers.stream().allMatch(Answer::secure)) {
			return (error != null) ? Mono.error(error) : Mono.just(List.of());
		}
		return found.stream().anyMatch(Answer::alias)
				? this.dns.ask(host, Type.CNAME)
					.map((alias) -> (alias.secure() && alias.has(Type.CNAME)) ? List.of(host) : List.<Name>of())
				: Mono.just(List.of());
	}

	private Mono<Tlsa> tlsa(List<Name> bases, Duration ttl) {
		if (bases.isEmpty()) {
			return Mono.just(Tlsa.absent(ttl));
		}
		Name base = bases.getFirst();
		Name name;
		try {
			name = Name.concatenate(Name.fromConstantString("_" + this.port + "._tcp"), base);
		}
		catch (NameTooLongException _) {
			return tlsa(bases.subList(1, bases.size()), ttl);
		}
		return this.dns.ask(name, Type.TLSA).flatMap((answer) -> {
			Duration least = (answer.ttl().compareTo(ttl) < 0) ? answer.ttl() : ttl;
			List<TLSARecord> records = new ArrayList<>();
			answer.records().forEach((record) -> records.add((TLSARecord) record));
			return (answer.secure() && !records.isEmpty())
					? Mono.just(Tlsa.of(base.toString(true).toLowerCase(Locale.ROOT), records, least))
					: tlsa(bases.subList(1, bases.size()), least);
		});
	}

	@Override
	public void start() {
		if (this.dns.isOn()) {
			this.timer = Flux.interval(this.interval)
				.onBackpressureDrop()
				.concatMap((_) -> test())
				.startWith(this.available)
				.subscribe();
		}
	}

	@Override
	public void stop() {
		if (this.timer != null) {
			this.timer.dispose();
			this.timer = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.timer != null;
	}

	/**
	 * Protection of a domain by DANE.
	 *
	 * @param secure whether DNSSEC proves the MX records, or that there are none
	 * @param mx the MX records
	 * @param hosts demands of each server
	 * @param failure reason for which no server is contacted; empty for none
	 * @param local whether the failure is one of this installation
	 * @param ttl time for which all of it applies
	 */
	record Protection(boolean secure, List<Record> mx, Map<String, Tlsa> hosts, String failure, boolean local,
			Duration ttl) {

		private static final Tlsa UNKNOWN = Tlsa.failed("the domain has too many servers");

		private static final Tlsa ABSENT = Tlsa.absent(Duration.ZERO);

		static Protection none(Duration ttl) {
			return new Protection(false, List.of(), Map.of(), "", false, ttl);
		}

		/** Demands of a server. */
		Tlsa of(String host) {
			return this.secure ? this.hosts.getOrDefault(host, UNKNOWN) : ABSENT;
		}

		/** Whether a server has demands. */
		boolean applies() {
			return this.hosts.values().stream().anyMatch((tlsa) -> tlsa.kind().applies());
		}

		/** Whether a server has demands, or must not be contacted. */
		boolean matters() {
			return this.hosts.values().stream().anyMatch((tlsa) -> tlsa.kind() != Kind.ABSENT);
		}

	}

}
