package dev.mailroom.worker.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
final class MxOpening {

	private static final int MOST_HOSTS = 5;

	private static final int MOST_ADDRESSES = 4;

	private final MailServers servers;

	private final MxSettings settings;

	private final Opening plain;

	private final Opening welcome;

	private final Opening required;

	MxOpening(String transport, MailServers servers, MxSettings settings) {
		this.servers = servers;
		this.settings = settings;
		this.plain = new Opening(settings.terms(transport, Tls.NONE), null);
		this.welcome = new Opening(settings.terms(transport, Tls.STARTTLS), null);
		this.required = new Opening(settings.terms(transport, Tls.REQUIRED), null);
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
			Mono<SmtpSession> session = Mono.empty();
			for (String host : hosts.subList(0, Math.min(hosts.size(), MOST_HOSTS))) {
				session = session.switchIfEmpty(Mono.defer(() -> candidates(host, transcript).collectList()
					.flatMap((found) -> anyOf(found, strict, transcript, why))));
			}
			return session.switchIfEmpty(Mono.defer(() -> {
				Throwable reason = why.get();
				return (reason != null) ? Mono.error(reason) : Mono.empty();
			}));
		});
	}

	/** One after another; empty where none would, and then it is known why. */
	private Mono<SmtpSession> anyOf(List<Candidate> candidates, boolean strict, Transcript transcript,
			AtomicReference<@Nullable Throwable> why) {
		Mono<SmtpSession> session = Mono.empty();
		for (Candidate candidate : candidates.subList(0, Math.min(candidates.size(), MOST_ADDRESSES))) {
			session = session
				.switchIfEmpty(Mono.defer(() -> open(candidate, strict, transcript)).onErrorResume((error) -> {
					why.set(telling(why.get(), error));
					return Mono.empty();
				}));
		}
		return session;
	}

	private Flux<Candidate> candidates(String host, Transcript transcript) {
		return this.servers.addresses(host)
			.doOnError((error) -> transcript.note(String.valueOf(error.getMessage())))
			.onErrorReturn(List.of())
			.flatMapIterable((addresses) -> addresses)
			.filter((address) -> this.settings.privateAddresses() || PublicAddress.is(address))
			.map((address) -> new Candidate(host, address));
	}

	private Mono<SmtpSession> open(Candidate candidate, boolean strict, Transcript transcript) {
		InetSocketAddress address = new InetSocketAddress(candidate.address(), this.settings.port());
		Mono<SmtpSession> session = strict ? this.required.open(candidate.host(), address, transcript)
				: this.welcome.open(candidate.host(), address, transcript)
					.onErrorResume(NoTls.class, (_) -> this.plain.open(candidate.host(), address, transcript));
		return session.timeout(this.settings.addressTimeout(),
				Mono.error(() -> new TimeoutException(candidate.host() + " was too slow")));
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

	private record Candidate(String host, InetAddress address) {
	}

}
