package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

import dev.mailroom.trackingdomain.InboundCertificate;
import dev.mailroom.trackingdomain.InboundCertificates;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Checks the certificate with which this installation receives mail, as a sender with a
 * policy about TLS would: over SMTP, at the host that MX records of tenants name.
 */
@Component
public class InboundProbe {

	private static final String TRANSPORT = "mx";

	/** Time after which a check is repeated. */
	private static final Duration INTERVAL = Duration.ofHours(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	/** Usage, selector and matching type: the hash of the server's own key. */
	private static final String TLSA = "3 1 1 ";

	private final MxSettings settings;

	private final MailServers servers;

	private final InboundCertificates certificates;

	private final Clock clock;

	private volatile Instant last = Instant.EPOCH;

	InboundProbe(MxSettings settings, MailServers servers, InboundCertificates certificates, Clock clock) {
		this.settings = settings;
		this.servers = servers;
		this.certificates = certificates;
		this.clock = clock;
	}

	/**
	 * Checks the certificate if the last check is an hour old.
	 * @return number of checks
	 */
	public long run() {
		Instant now = this.clock.instant();
		if (now.isBefore(this.last.plus(INTERVAL))) {
			return 0;
		}
		this.last = now;
		this.certificates.save(check());
		return 1;
	}

	private InboundCertificate check() {
		String host = this.certificates.host();
		List<InetAddress> addresses;
		try {
			addresses = Objects.requireNonNull(this.servers.addresses(host).block());
		}
		catch (RuntimeException _) {
			return failed(host, "The name servers did not answer for " + host);
		}
		if (addresses.isEmpty()) {
			return failed(host, host + " has no address");
		}
		InetSocketAddress address = new InetSocketAddress(addresses.getFirst(), this.settings.port());
		Presented trusted = presented(host, address, TlsMode.REQUIRED);
		if (trusted.certificate() != null) {
			return checked(host, true,
					"The certificate of " + host + " is valid until "
							+ trusted.certificate().getNotAfter().toInstant().toString().substring(0, 10),
					trusted.certificate());
		}
		Presented any = presented(host, address, TlsMode.STARTTLS);
		return (any.certificate() != null) ? checked(host, false, trusted.error(), any.certificate())
				: failed(host, trusted.error());
	}

	private InboundCertificate failed(String host, String reason) {
		return new InboundCertificate(host, false, reason, "", null, this.clock.instant());
	}

	private InboundCertificate checked(String host, boolean valid, String detail, X509Certificate certificate) {
		String record = TLSA + hash(certificate);
		List<String> published = this.servers.tlsa("_25._tcp." + host)
			.onErrorReturn(List.of())
			.blockOptional()
			.orElseThrow();
		return new InboundCertificate(host, valid, detail, record,
				published.isEmpty() ? null : published.contains(record), this.clock.instant());
	}

	private static String hash(X509Certificate certificate) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getPublicKey().getEncoded()));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The certificate of a server, or why there is no session. */
	private Presented presented(String host, InetSocketAddress address, TlsMode tls) {
		SessionOpener opener = new SessionOpener(this.settings.options(TRANSPORT, tls), null);
		try {
			return Objects.requireNonNull(
					opener.open(host, address, new Transcript(this.clock)).timeout(TIMEOUT).flatMap((session) -> {
						Presented found = new Presented(session.certificate().orElse(null), "The server offers no TLS");
						return session.quit().thenReturn(found);
					})
						.onErrorResume((error) -> Mono.just(new Presented(null, host + ": " + error.getMessage())))
						.block());
		}
		catch (RuntimeException ex) {
			return new Presented(null, host + ": " + ex.getMessage());
		}
	}

	/** A certificate, or the reason why there is none. */
	private record Presented(@Nullable X509Certificate certificate, String error) {
	}

}
