package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.site.ProviderProfile.LeastTls;
import dev.mailroom.source.SendingSource;
import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.webhook.PublicAddress;
import dev.mailroom.worker.smtp.client.Dane.Protection;
import dev.mailroom.worker.smtp.client.MailServers.Undeliverable;
import dev.mailroom.worker.smtp.client.SessionOpener.From;
import dev.mailroom.worker.smtp.client.SessionOpener.NoTls;
import dev.mailroom.worker.smtp.client.SessionOpener.NotBound;
import dev.mailroom.worker.smtp.client.SessionOpener.RefusedSession;
import dev.mailroom.worker.smtp.client.SessionOpener.SessionOptions;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import dev.mailroom.worker.smtp.client.Tlsa.Kind;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens a session with one of a domain's servers. The next server is tried if one cannot
 * be reached or refuses the session. If TLS is optional and fails, the server is
 * contacted again without TLS, and for an hour only so.
 */
final class MxSessionOpener {

	private static final int MAX_HOSTS = 5;

	private static final int MAX_ADDRESSES = 4;

	/** Time kept back to report a timeout with the name of the slow server. */
	private static final Duration SLACK = Duration.ofMillis(500);

	private static final int MAX_BROKEN = 10_000;

	/** Time after which a domain whose servers have changed is tried again. */
	private static final Duration AGAIN = Duration.ofSeconds(1);

	/** Time after which mail is tried again that waits for DNSSEC. */
	private static final Duration LATER = Duration.ofMinutes(1);

	private final MailServers servers;

	private final MxSettings settings;

	private final MtaSts policies;

	private final TlsSessions counts;

	private final Dane dane;

	private final String transport;

	/** Hosts that offer STARTTLS, failed at it, and accepted a session without. */
	private final Cache<String, Boolean> withoutStartTls = Caffeine.newBuilder()
		.maximumSize(MAX_BROKEN)
		.expireAfterWrite(Duration.ofHours(1))
		.build();

	private final SessionOpener withoutTls;

	private final SessionOpener optionalTls;

	private final SessionOpener requiredTls;

	/** TLS with any certificate, and nothing without it. */
	private final SessionOpener encryptedTls;

	MxSessionOpener(String transport, MailServers servers, MtaSts policies, Dane dane, TlsSessions counts,
			MxSettings settings) {
		this.servers = servers;
		this.policies = policies;
		this.dane = dane;
		this.counts = counts;
		this.transport = transport;
		this.settings = settings;
		this.withoutTls = new SessionOpener(settings.options(transport, TlsMode.NONE), null);
		this.optionalTls = new SessionOpener(settings.options(transport, TlsMode.STARTTLS), null);
		this.requiredTls = new SessionOpener(settings.options(transport, TlsMode.REQUIRED), null);
		this.encryptedTls = new SessionOpener(settings.options(transport, TlsMode.REQUIRED,
				SessionOptions.context(TlsMode.STARTTLS, settings.caFile()), null), null);
	}

	/**
	 * Opens a session. Fails with {@link Undeliverable} if the domain accepts no mail
	 * according to DNS.
	 * @param least least protection that the profile of its servers demands
	 * @param expected whether the session is for these hosts
	 * @param source the sending address; null for the one that the operating system
	 * chooses
	 */
	Mono<SmtpSession> open(String domain, boolean requiresTls, @Nullable LeastTls least,
			Predicate<List<String>> expected, @Nullable SendingSource source, Transcript transcript) {
		LeastTls protection = (requiresTls || this.settings.tls().isVerified()) ? LeastTls.VERIFIED : least;
		Way way = Way.of(domain, protection, source);
		return this.dane.of(domain).flatMap((dane) -> {
			if (!dane.failure().isEmpty()) {
				return Mono.error(refused(domain, dane, transcript));
			}
			return (dane.secure() ? this.servers.inOrder(domain, dane.mx()) : this.servers.of(domain)).filter(expected)
				.switchIfEmpty(Mono.error(() -> NotOpened
					.notTried("451 4.4.1 The mail servers of " + domain + " have changed", AGAIN, null)))
				.flatMap((hosts) -> this.policies.of(domain)
					.flatMap((policy) -> dane.matters() ? firstHost(hosts, policy, way.with(dane), transcript)
							: firstHost(domain, hosts, policy, way, transcript))
					.switchIfEmpty(Mono.error(() -> noAddress(domain, hosts))));
		});
	}

	/** The error of a domain whose protection is not known: no server is contacted. */
	private NotOpened refused(String domain, Protection dane, Transcript transcript) {
		String reply = "451 4.7.5 " + dane.failure();
		if (dane.local()) {
			return NotOpened.notTried(reply, LATER, null);
		}
		this.counts.count(TlsSessions.Policy.tlsa(domain, domain), "dnssec-invalid", "", null, null, "");
		transcript.policy("dane", "dns_failed");
		transcript.note(reply);
		return NotOpened.failed(reply, reply, transcript.attempt(this.transport), new IOException(dane.failure()));
	}

	/**
	 * Opens a session with a server of a domain of which some have TLSA records, or may
	 * have them. They get mail only by TLS as these records demand; no policy of MTA-STS
	 * changes that (RFC 8461 section 2). An enforced one applies to the other servers.
	 */
	private Mono<SmtpSession> firstHost(List<String> hosts, StsPolicy policy, Way way, Transcript transcript) {
		List<String> failures = new ArrayList<>();
		List<String> used = new ArrayList<>();
		for (String host : hosts) {
			Tlsa tlsa = way.dane().of(host);
			if (tlsa.kind() == Kind.FAILED) {
				failures.add(tlsa.failure());
				this.counts.count(TlsSessions.Policy.tlsa(way.domain(), host), "dnssec-invalid", host, null, null, "");
				transcript.note(host + " is not used: " + tlsa.failure());
			}
			else if (tlsa.kind() != Kind.ABSENT || !policy.isEnforced() || policy.permits(host)) {
				used.add(host);
			}
		}
		Way least = policy.isEnforced() ? way.with(LeastTls.VERIFIED).under(TlsSessions.Policy.sts(way.domain(), null))
				: way.under(TlsSessions.Policy.none(way.domain()));
		Mono<SmtpSession> session = used.isEmpty()
				? Mono
					.error(new NoTls("no server may be used" + (failures.isEmpty() ? "" : ": " + failures.getFirst())))
				: firstHost(used, least, transcript);
		return session.onErrorMap(NoTls.class, (error) -> {
			this.dane.count(way.domain(), way.dane().applies(), "refused");
			transcript.policy("dane", "refused");
			return refused("DANE for the domain", error, transcript);
		});
	}

	/**
	 * Opens a session for a report about TLS, which is delivered whatever TLS demands
	 * (RFC 8460 section 5.3, RFC 8689), and does not count.
	 */
	Mono<SmtpSession> openForReport(String domain, @Nullable SendingSource source, Transcript transcript) {
		return this.servers.of(domain)
			.flatMap((hosts) -> firstHost(hosts, Way.of(domain, null, source), transcript)
				.switchIfEmpty(Mono.error(() -> noAddress(domain, hosts))));
	}

	/**
	 * Opens a session under the policy of the domain. Under one that is tested, the
	 * session is opened as without a policy if the servers do not satisfy it.
	 */
	private Mono<SmtpSession> firstHost(String domain, List<String> hosts, StsPolicy policy, Way way,
			Transcript transcript) {
		if (policy.mode() == StsPolicy.Mode.NONE) {
			@Nullable String failure = this.policies.failure(domain);
			return firstHost(hosts, way
				.under((failure != null) ? TlsSessions.Policy.sts(domain, failure) : TlsSessions.Policy.none(domain)),
					transcript);
		}
		List<String> permitted = hosts.stream().filter(policy::permits).toList();
		TlsSessions.Policy counted = TlsSessions.Policy.sts(domain, null);
		Way verified = way.with(LeastTls.VERIFIED).under(counted);
		Mono<SmtpSession> session = permitted.isEmpty() ? Mono.error(() -> {
			this.counts.count(counted, "validation-failure", hosts.getFirst(), null, null,
					"The policy does not name the server");
			return new NoTls("the policy permits none of the servers " + String.join(", ", hosts));
		}) : firstHost(permitted, verified, transcript);
		transcript.note("MTA-STS policy " + policy.id() + ": " + policy.mode().text());
		if (policy.isEnforced()) {
			return session.doOnNext((_) -> count(domain, "enforced", transcript)).onErrorMap(NoTls.class, (error) -> {
				count(domain, "refused", transcript);
				return refused("The MTA-STS policy of the domain", error, transcript);
			});
		}
		return session.doOnNext((_) -> count(domain, "testing_passed", transcript))
			// The rest of the time is for a session as without a policy.
			.timeout(this.settings.openTimeout().dividedBy(2))
			.onErrorResume((error) -> !(error instanceof NotBound), (error) -> {
				if (error instanceof NoTls) {
					count(domain, "testing_failed", transcript);
					transcript.note("the tested policy would have failed: " + error.getMessage());
				}
				return firstHost(hosts, way, transcript);
			});
	}

	private void count(String domain, String result, Transcript transcript) {
		this.policies.count(domain, result);
		transcript.policy("mta_sts", result);
	}

	/**
	 * The error of a policy that the servers do not satisfy. It is no failure of the
	 * servers, which other domains use as well.
	 */
	private NotOpened refused(String policy, NoTls error, Transcript transcript) {
		String reply = "451 4.7.5 " + policy + " demands TLS with a valid certificate: " + error.getMessage();
		transcript.note(reply);
		return NotOpened.failed(reply, reply, transcript.attempt(this.transport), error);
	}

	private Mono<SmtpSession> firstHost(List<String> hosts, Way way, Transcript transcript) {
		return Mono.defer(() -> {
			AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
			long deadline = System.nanoTime() + this.settings.openTimeout().minus(SLACK).toNanos();
			Mono<SmtpSession> session = Mono.empty();
			int count = Math.min(hosts.size(), MAX_HOSTS);
			for (int i = 0; i < count; i++) {
				String host = hosts.get(i);
				Budget budget = new Budget(count - i - 1, deadline);
				session = session
					.switchIfEmpty(Mono.defer(() -> candidates(host, way, transcript, failure).collectList()
						.flatMap((found) -> firstAddress(found, budget, way, transcript, failure))));
			}
			return session.switchIfEmpty(Mono.defer(() -> {
				Throwable reason = failure.get();
				return (reason != null) ? Mono.error(reason) : Mono.empty();
			}));
		});
	}

	/** Tries the addresses in order; if all fail, empty with the failure recorded. */
	private Mono<SmtpSession> firstAddress(List<Candidate> candidates, Budget budget, Way way, Transcript transcript,
			AtomicReference<@Nullable Throwable> failure) {
		Mono<SmtpSession> session = Mono.empty();
		int count = Math.min(candidates.size(), MAX_ADDRESSES);
		for (int i = 0; i < count; i++) {
			Candidate candidate = candidates.get(i);
			int remaining = count - i - 1;
			session = session.switchIfEmpty(
					Mono.defer(() -> open(candidate, budget.share(remaining, this.settings), way, transcript))
						// The fault of this machine says nothing about other servers.
						.onErrorResume((error) -> !(error instanceof NotBound), (error) -> {
							failure.set(moreSpecific(failure.get(), error));
							return Mono.empty();
						}));
		}
		return session;
	}

	/** A temporary failure of DNS is recorded and is no reason to bounce the mail. */
	private Flux<Candidate> candidates(String host, Way way, Transcript transcript,
			AtomicReference<@Nullable Throwable> failure) {
		return this.servers.addresses(host).doOnError((error) -> {
			transcript.note(String.valueOf(error.getMessage()));
			failure.set(moreSpecific(failure.get(), error));
		})
			.onErrorReturn(List.of())
			.flatMapIterable((addresses) -> addresses)
			.filter((address) -> this.settings.privateAddresses() || PublicAddress.is(address))
			.collectList()
			.flatMapIterable((addresses) -> reachable(host, addresses, way, transcript, failure))
			.map((address) -> new Candidate(host, address));
	}

	/** Addresses of the versions of IP that the sending address has. */
	private static List<InetAddress> reachable(String host, List<InetAddress> addresses, Way way, Transcript transcript,
			AtomicReference<@Nullable Throwable> failure) {
		List<InetAddress> reachable = addresses.stream().filter(way::leadsTo).toList();
		if (reachable.isEmpty() && !addresses.isEmpty()) {
			IOException reason = new IOException(
					host + " cannot be reached from the sending address " + way.name() + ", which has no address of "
							+ ((addresses.getFirst() instanceof Inet6Address) ? "IPv6" : "IPv4"));
			transcript.note(String.valueOf(reason.getMessage()));
			failure.set(moreSpecific(failure.get(), reason));
		}
		return reachable;
	}

	private Mono<SmtpSession> open(Candidate candidate, Duration timeout, Way way, Transcript transcript) {
		InetSocketAddress address = new InetSocketAddress(candidate.address(), this.settings.port());
		return open(candidate.host(), address, way, transcript).timeout(timeout,
				Mono.error(() -> new TimeoutException(candidate.host() + " timed out")));
	}

	private Mono<SmtpSession> open(String host, InetSocketAddress address, Way way, Transcript transcript) {
		@Nullable From from = way.from(address.getAddress());
		Tlsa tlsa = way.dane().of(host);
		if (tlsa.kind() == Kind.USABLE) {
			SessionOptions options = this.settings.options(this.transport, TlsMode.REQUIRED,
					new DaneTrust(tlsa, way.domain()).context(), tlsa.base());
			return counted(new SessionOpener(options, null), host, address,
					way.under(TlsSessions.Policy.tlsa(way.domain(), tlsa.base())), transcript)
				.doOnNext((_) -> passed(way, "verified", transcript));
		}
		if (tlsa.kind() == Kind.UNUSABLE) {
			TlsSessions.Policy invalid = TlsSessions.Policy.tlsa(way.domain(), tlsa.base()).failing("tlsa-invalid");
			return counted((way.least() == LeastTls.VERIFIED) ? this.requiredTls : this.encryptedTls, host, address,
					way.under(invalid), transcript)
				.doOnNext((_) -> passed(way, "encrypted", transcript));
		}
		return switch (way.least()) {
			case VERIFIED -> counted(this.requiredTls, host, address, way, transcript);
			case ENCRYPTED -> counted(this.optionalTls, host, address, way, transcript)
				.flatMap((session) -> session.isEncrypted() ? Mono.just(session)
						: session.quit().then(Mono.error(new IOException("TLS is required and was not offered"))));
			case null -> (this.withoutStartTls.getIfPresent(host) != null) ? counted(this.withoutTls, host, address, way
				.failing(), transcript) : counted(this.optionalTls, host, address, way, transcript).onErrorResume(
						NoTls.class,
						(_) -> this.withoutTls.open(host, address, from, transcript).doOnNext((_) -> remember(host)));
		};
	}

	private Mono<SmtpSession> counted(SessionOpener opener, String host, InetSocketAddress address, Way way,
			Transcript transcript) {
		return this.counts.count(opener.open(host, address, way.from(address.getAddress()), transcript), way.policy(),
				host, address.getAddress(), transcript);
	}

	private void passed(Way way, String result, Transcript transcript) {
		this.dane.count(way.domain(), true, result);
		transcript.policy("dane", result);
	}

	private void remember(String host) {
		if (this.settings.profiles()) {
			this.withoutStartTls.put(host, true);
		}
	}

	/** Undeliverable if the domain has neither an MX record nor an address record. */
	private static IOException noAddress(String domain, List<String> hosts) {
		return hosts.equals(List.of(domain))
				? new Undeliverable("550 5.1.2 The domain has neither a mail server nor an address: " + domain)
				: new IOException("none of its mail servers has a usable address");
	}

	/** A server's refusal is preferred to a failed connection or a timeout. */
	private static Throwable moreSpecific(@Nullable Throwable before, Throwable now) {
		return (before == null || (now instanceof RefusedSession && !(before instanceof RefusedSession))) ? now
				: before;
	}

	/**
	 * Time left for opening. It is divided among the remaining hosts and addresses;
	 * servers that delay their greeting on purpose get the whole of it if they are last.
	 *
	 * @param hosts number of hosts after this one
	 * @param deadline on the clock of {@link System#nanoTime()}
	 */
	private record Budget(int hosts, long deadline) {

		Duration share(int addresses, MxSettings settings) {
			Duration share = Duration.ofNanos(this.deadline - System.nanoTime()).dividedBy(1L + addresses + this.hosts);
			return (share.compareTo(settings.addressTimeout()) > 0) ? share : settings.addressTimeout();
		}

	}

	private record Candidate(String host, InetAddress address) {
	}

	/**
	 * Properties of a session.
	 *
	 * @param least least protection; null for none
	 * @param source null for the address that the operating system chooses
	 * @param dane demands of the servers' TLSA records
	 * @param policy policy for which the session counts; null if it does not
	 */
	private record Way(@Nullable LeastTls least, @Nullable SendingSource source, String domain, Protection dane,
			TlsSessions.@Nullable Policy policy) {

		static Way of(String domain, @Nullable LeastTls least, @Nullable SendingSource source) {
			return new Way(least, source, domain, Protection.none(Duration.ZERO), null);
		}

		Way with(LeastTls least) {
			return new Way(least, this.source, this.domain, this.dane, this.policy);
		}

		Way with(Protection dane) {
			return new Way(this.least, this.source, this.domain, dane, this.policy);
		}

		Way under(TlsSessions.@Nullable Policy policy) {
			return new Way(this.least, this.source, this.domain, this.dane, policy);
		}

		/** The same with a session that counts as a failure of TLS. */
		Way failing() {
			return (this.policy != null && this.policy.failure() == null)
					? under(this.policy.failing("validation-failure")) : this;
		}

		String name() {
			return (this.source != null) ? this.source.name() : "";
		}

		/** Whether there is a local address of the same version of IP. */
		boolean leadsTo(InetAddress address) {
			return this.source == null || from(address) != null;
		}

		/** The local address; null for the one that the operating system chooses. */
		@Nullable From from(InetAddress address) {
			if (this.source == null) {
				return null;
			}
			@Nullable String local = (address instanceof Inet6Address) ? this.source.v6() : this.source.v4();
			return (local != null) ? new From(InetAddress.ofLiteral(local), this.source.helo()) : null;
		}

	}

}
