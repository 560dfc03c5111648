package dev.mailroom.worker.tracking;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import javax.net.ssl.SSLContext;

import dev.mailroom.domain.NameServers;
import dev.mailroom.trackingdomain.Certificates;
import io.micrometer.core.instrument.MeterRegistry;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Certificate;
import org.shredzone.acme4j.Identifier;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.shredzone.acme4j.connector.HttpConnector;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.provider.GenericAcmeProvider;
import org.shredzone.acme4j.util.CertificateUtils;
import org.shredzone.acme4j.util.KeyPairUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Orders certificates of tracking domains at an authority (RFC 8555), one after another.
 * The API answers its challenges, over HTTP or in the TLS handshake.
 */
@Component
public class AcmeOrders {

	private static final Logger log = LoggerFactory.getLogger(AcmeOrders.class);

	/** Limit on each step of an order. */
	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	/** Orders of one run, so that others of the worker's jobs see its end. */
	private static final int PER_RUN = 5;

	private static final int KEY_BITS = 256;

	/** Bits of the key of a challenge: acme4j signs its certificates by RSA only. */
	private static final int RSA_BITS = 2048;

	private final AcmeSettings settings;

	private final Certificates certificates;

	private final NameServers dns;

	private final MeterRegistry registry;

	AcmeOrders(AcmeSettings settings, Certificates certificates, NameServers dns, MeterRegistry registry) {
		this.settings = settings;
		this.certificates = certificates;
		this.dns = dns;
		this.registry = registry;
		if (settings.isConfigured()) {
			// acme4j names this provider. At the end of the list it serves nothing else.
			Security.addProvider(new BouncyCastleProvider());
		}
	}

	/** Whether this installation orders certificates itself. */
	public boolean isConfigured() {
		return this.settings.isConfigured();
	}

	/**
	 * Orders the certificates that are due.
	 * @return number of certificates
	 */
	public long run() {
		long issued = 0;
		for (int i = 0; i < PER_RUN; i++) {
			Optional<Certificates.Order> order = this.certificates.begin();
			if (order.isEmpty()) {
				break;
			}
			boolean success = order(order.get());
			this.registry.counter("mailroom.acme.orders", "result", success ? "issued" : "failed").increment();
			issued += success ? 1 : 0;
		}
		return issued;
	}

	private boolean order(Certificates.Order order) {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
			generator.initialize(KEY_BITS);
			KeyPair keys = generator.generateKeyPair();
			Certificate certificate = certificate(order, keys);
			StringWriter chain = new StringWriter();
			certificate.writeCertificate(chain);
			X509Certificate first = certificate.getCertificate();
			this.certificates.issued(order, keys.getPrivate(), chain.toString(), first.getNotBefore().toInstant(),
					first.getNotAfter().toInstant());
			return true;
		}
		catch (AcmeException | IOException | GeneralSecurityException | RuntimeException ex) {
			log.warn("No certificate was issued for {}: {}", order.name(), ex.toString());
			this.certificates.failed(order, Objects.requireNonNullElse(ex.getMessage(), ex.toString()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.certificates.failed(order, "The worker stopped");
		}
		return false;
	}

	private Certificate certificate(Certificates.Order due, KeyPair keys)
			throws AcmeException, IOException, InterruptedException {
		String name = due.name();
		Session session = session();
		session.networkSettings().setTimeout(TIMEOUT);
		checkPermitted(session, name);
		Login login = new AccountBuilder().agreeToTermsOfService().useKeyPair(accountKey()).createLogin(session);
		Order order = login.newOrder().domain(name).create();
		for (Authorization authorization : order.getAuthorizations()) {
			if (authorization.getStatus() != Status.VALID) {
				prove(authorization, due);
			}
		}
		order.waitUntilReady(TIMEOUT);
		order.execute(keys);
		if (order.waitForCompletion(TIMEOUT) != Status.VALID) {
			throw failure(order.getError());
		}
		return order.getCertificate();
	}

	private Session session() {
		@Nullable SSLContext trusted = this.settings.trusted();
		if (trusted == null) {
			return new Session(this.settings.uri());
		}
		return new Session(this.settings.uri(), new GenericAcmeProvider() {
			@Override
			protected HttpConnector createHttpConnector(NetworkSettings network) {
				return new HttpConnector(network) {
					@Override
					public HttpClient.Builder createClientBuilder() {
						return super.createClientBuilder().sslContext(trusted);
					}
				};
			}
		});
	}

	/** Refuses names whose owner permits other authorities only (RFC 8659). */
	private void checkPermitted(Session session, String name) throws AcmeException, IOException {
		Collection<String> authorities = session.getMetadata().getCaaIdentities();
		if (!authorities.isEmpty() && !Objects.requireNonNull(this.dns.mayIssue(name, authorities).block())) {
			throw new IOException("The CAA records of " + name + " do not permit " + String.join(", ", authorities));
		}
	}

	/**
	 * Answers a challenge over HTTP (RFC 8555 8.3), which needs port 80, or in the TLS
	 * handshake (RFC 8737), which needs port 443: after a failure the other one.
	 */
	private void prove(Authorization authorization, Certificates.Order due)
			throws AcmeException, IOException, InterruptedException {
		List<String> kinds = List.of(Http01Challenge.TYPE, TlsAlpn01Challenge.TYPE);
		Challenge challenge = ((due.failures() % 2 == 0) ? kinds : kinds.reversed()).stream()
			.flatMap((kind) -> authorization.findChallenge(kind).stream())
			.findFirst()
			.orElseThrow(() -> new IOException("The authority offers no challenge over HTTP or TLS"));
		if (challenge instanceof Http01Challenge http) {
			this.certificates.publish(http.getToken(), http.getAuthorization());
		}
		else if (challenge instanceof TlsAlpn01Challenge tls) {
			KeyPair keys = KeyPairUtils.createKeyPair(RSA_BITS);
			StringWriter certificate = new StringWriter();
			try (JcaPEMWriter pem = new JcaPEMWriter(certificate)) {
				pem.writeObject(CertificateUtils.createTlsAlpn01Certificate(keys, Identifier.dns(due.name()),
						tls.getAcmeValidation()));
			}
			this.certificates.publish(due.name(),
					new Certificates.Certificate(keys.getPrivate(), certificate.toString()));
		}
		challenge.trigger();
		if (challenge.waitForCompletion(TIMEOUT) != Status.VALID) {
			throw failure(challenge.getError());
		}
	}

	private static IOException failure(Optional<Problem> problem) {
		return new IOException(problem.map(Problem::toString).orElse("The authority did not answer in time"));
	}

	private KeyPair accountKey() throws IOException {
		StringWriter created = new StringWriter();
		KeyPairUtils.writeKeyPair(KeyPairUtils.createECKeyPair("secp256r1"), created);
		byte[] kept = this.certificates.accountKey(this.settings.directory(),
				created.toString().getBytes(StandardCharsets.UTF_8));
		return KeyPairUtils.readKeyPair(new StringReader(new String(kept, StandardCharsets.UTF_8)));
	}

}
