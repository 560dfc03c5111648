package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.webhook.PublicAddress;
import dev.mailroom.worker.smtp.client.MailServers.Undeliverable;
import dev.mailroom.worker.smtp.client.SessionOpener.NoTls;
import dev.mailroom.worker.smtp.client.SessionOpener.RefusedSession;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens a session with one of a domain's servers. The next server is tried if one cannot
 * be reached or refuses the session. If TLS is optional and fails, the server is
 * contacted again without TLS.
 */
final class MxSessionOpener {

	private static final int MAX_HOSTS = 5;

	private static final int MAX_ADDRESSES = 4;

	/** Time kept back to report a timeout with the name of the slow server. */
	private static final Duration SLACK = Duration.ofMillis(500);

	private final MailServers servers;

	private final MxSettings settings;

	private final SessionOpener withoutTls;

	private final SessionOpener optionalTls;

	private final SessionOpener requiredTls;

	MxSessionOpener(String transport, MailServers servers, MxSettings settings) {
		this.servers = servers;
		this.settings = settings;
		this.withoutTls = new SessionOpener(settings.options(transport, TlsMode.NONE), null);
		this.optionalTls = new SessionOpener(settings.options(transport, TlsMode.STARTTLS), null);
		this.requiredTls = new SessionOpener(settings.options(transport, TlsMode.REQUIRED), null);
	}

	/**
	 * Opens a session. Fails with {@link Undeliverable} if the domain accepts no mail
	 * according to DNS.
	 */
	Mono<SmtpSession> open(String domain, boolean requiresTls, Transcript transcript) {
		boolean strict = requiresTls || this.settings.tls().isVerified();
		return this.servers.of(domain)
			.flatMap((hosts) -> firstHost(hosts, strict, transcript)
				.switchIfEmpty(Mono.error(() -> noAddress(domain, hosts))));
	}

	private Mono<SmtpSession> firstHost(List<String> hosts, boolean strict, Transcript transcript) {
		return Mono.defer(() -> {
			AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
			long deadline = System.nanoTime() + this.settings.openTimeout().minus(SLACK).toNanos();
			Mono<SmtpSession> session = Mono.empty();
			int count = Math.min(hosts.size(), MAX_HOSTS);
			for (int i = 0; i < count; i++) {
				String host = hosts.get(i);
				Budget budget = new Budget(count - i - 1, deadline);
				session = session.switchIfEmpty(Mono.defer(() -> candidates(host, transcript, failure).collectList()
					.flatMap((found) -> firstAddress(found, budget, strict, transcript, failure))));
			}
			return session.switchIfEmpty(Mono.defer(() -> {
				Throwable reason = failure.get();
				return (reason != null) ? Mono.error(reason) : Mono.empty();
			}));
		});
	}

	/** Tries the addresses in order; if all fail, empty with the failure recorded. */
	private Mono<SmtpSession> firstAddress(List<Candidate> candidates, Budget budget, boolean strict,
			Transcript transcript, AtomicReference<@Nullable Throwable> failure) {
		Mono<SmtpSession> session = Mono.empty();
		int count = Math.min(candidates.size(), MAX_ADDRESSES);
		for (int i = 0; i < count; i++) {
			Candidate candidate = candidates.get(i);
			int remaining = count - i - 1;
			session = session.switchIfEmpty(
					Mono.defer(() -> open(candidate, budget.share(remaining, this.settings), strict, transcript))
						.onErrorResume((error) -> {
							failure.set(moreSpecific(failure.get(), error));
							return Mono.empty();
						}));
		}
		return session;
	}

	/** A temporary failure of DNS is recorded and is no reason to bounce the mail. */
	private Flux<Candidate> candidates(String host, Transcript transcript,
			AtomicReference<@Nullable Throwable> failure) {
		return this.servers.addresses(host).doOnError((error) -> {
			transcript.note(String.valueOf(error.getMessage()));
			failure.set(moreSpecific(failure.get(), error));
		})
			.onErrorReturn(List.of())
			.flatMapIterable((addresses) -> addresses)
			.filter((address) -> this.settings.privateAddresses() || PublicAddress.is(address))
			.map((address) -> new Candidate(host, address));
	}

	private Mono<SmtpSession> open(Candidate candidate, Duration timeout, boolean strict, Transcript transcript) {
		InetSocketAddress address = new InetSocketAddress(candidate.address(), this.settings.port());
		Mono<SmtpSession> session = strict ? this.requiredTls.open(candidate.host(), address, transcript)
				: this.optionalTls.open(candidate.host(), address, transcript)
					.onErrorResume(NoTls.class, (_) -> this.withoutTls.open(candidate.host(), address, transcript));
		return session.timeout(timeout, Mono.error(() -> new TimeoutException(candidate.host() + " timed out")));
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

}
