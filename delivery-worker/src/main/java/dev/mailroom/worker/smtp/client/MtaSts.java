package dev.mailroom.worker.smtp.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

import javax.net.ssl.SSLException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.tlspolicy.StsPolicies;
import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.webhook.PublicAddress;
import dev.mailroom.worker.smtp.client.SessionOpener.SessionOptions;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * MTA-STS for outgoing mail (RFC 8461): the policies of recipients' domains, looked up
 * when a session is opened. A fetched policy applies until its time is over, also if its
 * host is gone or the TXT record cannot be read; all workers share it.
 */
@Component
class MtaSts {

	private static final Logger log = LoggerFactory.getLogger(MtaSts.class);

	private static final int MAX_DOMAINS = 50_000;

	private static final int MAX_BYTES = 64 * 1024;

	/** Limit on one fetch. */
	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/** Time after which the TXT record is looked up again; DNS answers are cached. */
	private static final Duration LOOK = Duration.ofMinutes(5);

	private static final Duration MAX_DELAY = Duration.ofHours(1);

	private final Cache<String, Known> known = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterAccess(MAX_DELAY)
		.build();

	/** Results that this worker has stored lately. */
	private final Cache<String, String> results = Caffeine.newBuilder()
		.maximumSize(MAX_DOMAINS)
		.expireAfterWrite(Duration.ofDays(1))
		.build();

	/** Look-ups in progress. */
	private final Map<String, Mono<StsPolicy>> running = new ConcurrentHashMap<>();

	private final MxSettings settings;

	private final MailServers servers;

	private final Function<String, Optional<StsPolicy>> stored;

	private final BiConsumer<String, StsPolicy> save;

	private final BiConsumer<String, String> saveResult;

	private final MeterRegistry registry;

	private final Clock clock;

	private final HttpClient client;

	@Autowired
	MtaSts(MxSettings settings, MailServers servers, StsPolicies policies, MeterRegistry registry, Clock clock) {
		this(settings, servers, policies::find, policies::save, policies::saveResult, registry, clock);
	}

	/**
	 * Creates the look-ups.
	 * @param stored reads what any worker has fetched last
	 * @param save stores what was fetched
	 * @param saveResult stores the result of a session with a domain
	 */
	MtaSts(MxSettings settings, MailServers servers, Function<String, Optional<StsPolicy>> stored,
			BiConsumer<String, StsPolicy> save, BiConsumer<String, String> saveResult, MeterRegistry registry,
			Clock clock) {
		this.settings = settings;
		this.servers = servers;
		this.stored = stored;
		this.save = save;
		this.saveResult = saveResult;
		this.registry = registry;
		this.clock = clock;
		SslContext trusted = SessionOptions.context(TlsMode.REQUIRED, settings.caFile());
		this.client = HttpClient.newConnection()
			.resolver(new Addresses())
			.noProxy()
			.followRedirect(false)
			.disableRetry(true)
			.keepAlive(false)
			.compress(false)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.connectTimeout().toMillis())
			.secure((tls) -> tls.sslContext(trusted));
	}

	/** The policy of a domain; {@link StsPolicy#NONE} if it has none. Never fails. */
	Mono<StsPolicy> of(String domain) {
		if (!this.settings.mtaSts()) {
			return Mono.just(StsPolicy.NONE);
		}
		@Nullable Known before = this.known.getIfPresent(domain);
		if (before != null && System.nanoTime() - before.until() < 0) {
			return Mono.just(valid(before.policy()));
		}
		return Mono.defer(() -> this.running.computeIfAbsent(domain,
				(_) -> lookUp(domain, before).doFinally((_) -> this.running.remove(domain)).cache()));
	}

	/**
	 * The client that fetches policies: from public addresses that were checked, over
	 * verified TLS and without redirections.
	 */
	HttpClient client() {
		return this.client;
	}

	/** Whether the policy of a domain is known and demands verified TLS. */
	boolean isEnforced(String domain) {
		@Nullable Known before = this.known.getIfPresent(domain);
		return before != null && valid(before.policy()).isEnforced();
	}

	/**
	 * Why the domain, which publishes a policy, has none that applies: the result of RFC
	 * 8460 section 4.3.2; null if it has one, or publishes none.
	 */
	@Nullable String failure(String domain) {
		@Nullable Known before = this.known.getIfPresent(domain);
		return (before != null && before.failures() > 0 && !before.policy().isValid(this.clock.instant()))
				? before.failure() : null;
	}

	/** Counts a session, or servers that were refused, and stores the last result. */
	void count(String domain, String result) {
		count(result);
		if (!result.equals(this.results.getIfPresent(domain))) {
			this.results.put(domain, result);
			Mono.fromRunnable(() -> this.saveResult.accept(domain, result))
				.subscribeOn(Schedulers.boundedElastic())
				.onErrorComplete()
				.subscribe();
		}
	}

	private void count(String result) {
		this.registry.counter("mailroom.tls.policy", "policy", "mta_sts", "result", result).increment();
	}

	private StsPolicy valid(StsPolicy policy) {
		return policy.isValid(this.clock.instant()) ? policy : StsPolicy.NONE;
	}

	private Mono<StsPolicy> lookUp(String domain, @Nullable Known before) {
		Mono<Known> last = (before != null) ? Mono.just(before) : read(domain);
		return Mono.zip(last, id(domain)).flatMap((both) -> {
			Known known = both.getT1();
			String id = both.getT2().orElse("");
			StsPolicy policy = known.policy();
			Instant now = this.clock.instant();
			boolean changed = !id.equals(policy.id()) || !policy.isValid(now);
			boolean due = !id.isEmpty() && !now.isBefore(known.tryAt()) && (changed || policy.isRefreshDue(now));
			Known kept = known.later();
			Mono<StsPolicy> fetched = fetch(domain, id, kept);
			if (due && changed) {
				// Not known before: mail that comes meanwhile waits for the same fetch.
				return fetched;
			}
			this.known.put(domain, kept);
			if (due) {
				fetched.subscribe();
			}
			return Mono.just(valid(policy));
		});
	}

	private Mono<Known> read(String domain) {
		return Mono.fromCallable(() -> this.stored.apply(domain).orElse(StsPolicy.NONE))
			.subscribeOn(Schedulers.boundedElastic())
			.onErrorResume((error) -> {
				log.debug("The stored policy of {} was not read: {}", domain, error.toString());
				return Mono.just(StsPolicy.NONE);
			})
			.map((policy) -> new Known(policy, 0, Instant.EPOCH, 0, null));
	}

	/**
	 * The id of the TXT record; empty if there is none or more than one, or if the name
	 * servers do not answer.
	 */
	private Mono<Optional<String>> id(String domain) {
		return this.servers.texts("_mta-sts." + domain).map((texts) -> {
			List<String> records = texts.stream().filter((text) -> text.matches("v=STSv1\\s*;.*")).toList();
			return (records.size() != 1) ? Optional.<String>empty()
					: List.of(records.getFirst().split(";", -1))
						.stream()
						.map(String::strip)
						.filter((field) -> field.matches("id\\s*=\\s*[A-Za-z0-9]{1,32}"))
						.map((field) -> field.substring(field.indexOf('=') + 1).strip())
						.findFirst();
		}).onErrorReturn(Optional.empty());
	}

	private Mono<StsPolicy> fetch(String domain, String id, Known before) {
		return text(domain).map((text) -> StsPolicy.parse(id, text, this.clock.instant()))
			.timeout(TIMEOUT)
			.doOnNext((policy) -> this.known.put(domain, new Known(policy, 0, Instant.EPOCH, 0, null).later()))
			.flatMap((policy) -> Mono.fromRunnable(() -> this.save.accept(domain, policy))
				.subscribeOn(Schedulers.boundedElastic())
				.onErrorComplete()
				.thenReturn(policy))
			.onErrorResume((error) -> {
				count((error instanceof IllegalArgumentException) ? "invalid" : "fetch_failed");
				log.info("The MTA-STS policy of {} was not fetched: {}", domain, error.toString());
				this.known.put(domain, before.failed(this.clock.instant(), result(error)));
				return Mono.just(valid(before.policy()));
			});
	}

	private static String result(Throwable error) {
		return switch (error) {
			case IllegalArgumentException _ -> "sts-policy-invalid";
			case SSLException _ -> "sts-webpki-invalid";
			default -> "sts-policy-fetch-error";
		};
	}

	/** The text of the policy. A redirection is an error (RFC 8461 section 3.3). */
	private Mono<String> text(String domain) {
		return this.client.get()
			.uri(URI
				.create("https://mta-sts." + domain + ":" + this.settings.policyPort() + "/.well-known/mta-sts.txt"))
			.response((response, content) -> (response.status().code() != 200)
					? Mono.error(new IOException("The status is " + response.status().code()))
					: content.asByteArray().reduceWith(ByteArrayOutputStream::new, MtaSts::append))
			.next()
			.map((bytes) -> bytes.toString(StandardCharsets.UTF_8));
	}

	private static ByteArrayOutputStream append(ByteArrayOutputStream all, byte[] part) {
		if (all.size() + part.length > MAX_BYTES) {
			throw new IllegalArgumentException("The policy has more than " + MAX_BYTES + " bytes");
		}
		all.writeBytes(part);
		return all;
	}

	/**
	 * A domain whose policy was looked up.
	 *
	 * @param policy the one that was fetched last, which may have expired
	 * @param until time of the next look-up, on the clock of {@link System#nanoTime()}
	 * @param tryAt time before which it is not fetched again
	 * @param failures failures to fetch it in succession
	 * @param failure result of the last one; null if there is none
	 */
	private record Known(StsPolicy policy, long until, Instant tryAt, int failures, @Nullable String failure) {

		Known later() {
			return new Known(this.policy, System.nanoTime() + LOOK.toNanos(), this.tryAt, this.failures, this.failure);
		}

		Known failed(Instant now, String failure) {
			Duration delay = LOOK.multipliedBy(1L << Math.min(this.failures, 4));
			return new Known(this.policy, this.until, now.plus((delay.compareTo(MAX_DELAY) < 0) ? delay : MAX_DELAY),
					this.failures + 1, failure);
		}

	}

	/** Resolves the host of a policy, which must have public addresses only. */
	private final class Addresses extends AddressResolverGroup<InetSocketAddress> {

		@Override
		protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
			return new AbstractAddressResolver<>(executor, InetSocketAddress.class) {

				@Override
				protected boolean doIsResolved(InetSocketAddress address) {
					return false;
				}

				@Override
				protected void doResolve(InetSocketAddress target, Promise<InetSocketAddress> promise) {
					found(target).subscribe((found) -> promise.trySuccess(found.getFirst()), promise::tryFailure);
				}

				@Override
				protected void doResolveAll(InetSocketAddress target, Promise<List<InetSocketAddress>> promise) {
					found(target).subscribe(promise::trySuccess, promise::tryFailure);
				}
			};
		}

		private Mono<List<InetSocketAddress>> found(InetSocketAddress target) {
			return MtaSts.this.servers.addresses(target.getHostString()).flatMap((addresses) -> {
				boolean allowed = MtaSts.this.settings.privateAddresses()
						|| addresses.stream().allMatch(PublicAddress::is);
				return (addresses.isEmpty() || !allowed)
						? Mono.error(new IOException("The host has no address, or one that is not public"))
						: Mono.just(addresses.stream()
							.map((InetAddress address) -> new InetSocketAddress(address, target.getPort()))
							.toList());
			});
		}

	}

}
