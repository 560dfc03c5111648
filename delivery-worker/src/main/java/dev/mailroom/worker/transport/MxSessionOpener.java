package dev.mailroom.worker.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.webhook.PublicAddress;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens a session with one of a domain's servers: the next is tried where one cannot be
 * reached or does not want to speak. Where TLS is only welcome and does not come about,
 * the mail goes without, on a new connection.
 */
final class MxSessionOpener {

	private static final int MOST_HOSTS = 5;

	/** So that whoever was too slow is told by name. */
	private static final Duration SLACK = Duration.ofMillis(500);

	private static final int MOST_ADDRESSES = 4;

	private final MailServers servers;

	private final MxSettings settings;

	private final SessionOpener plain;

	private final SessionOpener welcome;

	private final SessionOpener required;

	MxSessionOpener(String transport, MailServers servers, MxSettings settings) {
		this.servers = servers;
		this.settings = settings;
		this.plain = new SessionOpener(settings.terms(transport, TlsMode.NONE), null);
		this.welcome = new SessionOpener(settings.terms(transport, TlsMode.STARTTLS), null);
		this.required = new SessionOpener(settings.terms(transport, TlsMode.REQUIRED), null);
	}

	/**
	 * Opens a session.
	 * @throws Undeliverable where DNS says that the domain takes no mail
	 */
	Mono<SmtpSession> open(String domain, boolean requiresTls, Transcript transcript) {
		boolean strict = requiresTls || this.settings.tls().holds();
		return this.servers.of(domain)
			.flatMap((hosts) -> first(hosts, strict, transcript)
				.switchIfEmpty(Mono.error(() -> nowhere(domain, hosts))));
	}

	private Mono<SmtpSession> first(List<String> hosts, boolean strict, Transcript transcript) {
		return Mono.defer(() -> {
			AtomicReference<@Nullable Throwable> why = new AtomicReference<>();
			long latest = System.nanoTime() + this.settings.openTimeout().minus(SLACK).toNanos();
			Mono<SmtpSession> session = Mono.empty();
			int most = Math.min(hosts.size(), MOST_HOSTS);
			for (int i = 0; i < most; i++) {
				String host = hosts.get(i);
				Turn turn = new Turn(most - i - 1, latest);
				session = session.switchIfEmpty(Mono.defer(() -> candidates(host, transcript, why).collectList()
					.flatMap((found) -> anyOf(found, turn, strict, transcript, why))));
			}
			return session.switchIfEmpty(Mono.defer(() -> {
				Throwable reason = why.get();
				return (reason != null) ? Mono.error(reason) : Mono.empty();
			}));
		});
	}

	/** One after another; empty where none would, and then it is known why. */
	private Mono<SmtpSession> anyOf(List<Candidate> candidates, Turn turn, boolean strict, Transcript transcript,
			AtomicReference<@Nullable Throwable> why) {
		Mono<SmtpSession> session = Mono.empty();
		int most = Math.min(candidates.size(), MOST_ADDRESSES);
		for (int i = 0; i < most; i++) {
			Candidate candidate = candidates.get(i);
			int after = most - i - 1;
			session = session
				.switchIfEmpty(Mono.defer(() -> open(candidate, turn.share(after, this.settings), strict, transcript))
					.onErrorResume((error) -> {
						why.set(telling(why.get(), error));
						return Mono.empty();
					}));
		}
		return session;
	}

	/** What DNS does not say for now is no reason to give a mail up. */
	private Flux<Candidate> candidates(String host, Transcript transcript, AtomicReference<@Nullable Throwable> why) {
		return this.servers.addresses(host).doOnError((error) -> {
			transcript.note(String.valueOf(error.getMessage()));
			why.set(telling(why.get(), error));
		})
			.onErrorReturn(List.of())
			.flatMapIterable((addresses) -> addresses)
			.filter((address) -> this.settings.privateAddresses() || PublicAddress.is(address))
			.map((address) -> new Candidate(host, address));
	}

	private Mono<SmtpSession> open(Candidate candidate, Duration patience, boolean strict, Transcript transcript) {
		InetSocketAddress address = new InetSocketAddress(candidate.address(), this.settings.port());
		Mono<SmtpSession> session = strict ? this.required.open(candidate.host(), address, transcript)
				: this.welcome.open(candidate.host(), address, transcript)
					.onErrorResume(NoTls.class, (_) -> this.plain.open(candidate.host(), address, transcript));
		return session.timeout(patience, Mono.error(() -> new TimeoutException(candidate.host() + " was too slow")));
	}

	/** A domain without a server of its own, and no host either, is for nobody. */
	private static IOException nowhere(String domain, List<String> hosts) {
		return hosts.equals(List.of(domain))
				? new Undeliverable("550 5.1.2 The domain has neither a mail server nor an address: " + domain)
				: new IOException("none of its mail servers has an address that can be used");
	}

	/** What a server said tells more than that another did not answer. */
	private static Throwable telling(@Nullable Throwable before, Throwable now) {
		return (before == null || (now instanceof RefusedSession && !(before instanceof RefusedSession))) ? now
				: before;
	}

	/**
	 * How long one may take: many servers greet late on purpose, and the only one there
	 * is may take all the time.
	 *
	 * @param hosts how many come after this one
	 */
	private record Turn(int hosts, long latest) {

		Duration share(int addresses, MxSettings settings) {
			Duration share = Duration.ofNanos(this.latest - System.nanoTime()).dividedBy(1L + addresses + this.hosts);
			return (share.compareTo(settings.addressTimeout()) > 0) ? share : settings.addressTimeout();
		}

	}

	private record Candidate(String host, InetAddress address) {
	}

}
