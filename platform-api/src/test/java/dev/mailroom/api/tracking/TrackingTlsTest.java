package dev.mailroom.api.tracking;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

import dev.mailroom.Given;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.trackingdomain.Certificates;
import dev.mailroom.trackingdomain.TrackingNames;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.server.reactive.HttpHandler;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The certificate that a handshake for a name gets. */
@WithApi
class TrackingTlsTest {

	private static final String PASSWORD = "changeit";

	private static final String NONCE = "0123456789abcdef0123456789abcdef";

	@TempDir
	Path directory;

	@Autowired
	Person person;

	@Autowired
	Certificates certificates;

	@Autowired
	TrackingNames names;

	@Autowired
	ObjectProvider<HttpHandler> handler;

	@Autowired
	ObjectProvider<WebServerFactoryCustomizer<NettyReactiveWebServerFactory>> limits;

	private TrackingTls listener;

	@BeforeEach
	void listen() {
		this.listener = new TrackingTls(new AcmeSettings("https://ca.test/dir", "127.0.0.1", 0), this.certificates,
				this.names, this.handler, this.limits);
		this.listener.start();
	}

	@AfterEach
	void stop() {
		this.listener.stop();
	}

	@Test
	void theNameInTheHandshakeSelectsTheCertificateAndOthersFail() throws Exception {
		KeyStore first = issued();
		KeyStore second = issued();
		assertThat(answer(first, name(first))).startsWith("HTTP/1.1 200")
			.endsWith(this.names.proof(name(first), NONCE));
		assertThat(answer(second, name(second))).endsWith(this.names.proof(name(second), NONCE));
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> answer(second, name(first)));
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> answer(first, "unknown.test"));
		Given.run("update tracking_domain set expires_at = now() where name = '%s'", name(second));
		this.listener.stop();
		listen();
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> answer(second, name(second)));
	}

	@Test
	void anAuthorityGetsTheCertificateOfItsChallengeAndOthersTheOneOfTheName() throws Exception {
		KeyStore name = issued();
		KeyStore challenge = issued();
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> handshake(name(name)));
		this.certificates.publish(name(name), new Certificates.Certificate(
				(PrivateKey) challenge.getKey(name(challenge), PASSWORD.toCharArray()), pem(challenge)));
		assertThat(handshake(name(name))).isEqualTo(challenge.getCertificate(name(challenge)));
		assertThat(answer(name, name(name))).endsWith(this.names.proof(name(name), NONCE));
	}

	/** The certificate that an authority gets. */
	private Certificate handshake(String name) throws Exception {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
		try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
			.createSocket("127.0.0.1", this.listener.port())) {
			SSLParameters parameters = socket.getSSLParameters();
			parameters.setServerNames(List.of(new SNIHostName(name)));
			parameters.setApplicationProtocols(new String[] { "acme-tls/1" });
			socket.setSSLParameters(parameters);
			socket.startHandshake();
			if (!"acme-tls/1".equals(socket.getApplicationProtocol())) {
				throw new SSLException("No protocol");
			}
			assertThat(socket.getInputStream().readAllBytes()).isEmpty();
			return socket.getSession().getPeerCertificates()[0];
		}
	}

	/** A new name with a certificate. */
	private KeyStore issued() throws Exception {
		UUID domain = Given.domain(this.person.account());
		UUID id = UUID.randomUUID();
		String name = "links." + domain + ".test";
		Given.run("insert into tracking_domain (id, account_id, domain_id, name, state, created_at) values "
				+ "('%s', '%s', '%s', '%s', 'active', now())", id, this.person.account(), domain, name);
		Path file = this.directory.resolve(id + ".p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=x", "-ext",
				"san=dns:" + name, "-ext", "bc=ca:true", "-validity", "2", "-storetype", "PKCS12", "-keystore",
				file.toString(), "-storepass", PASSWORD)
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			store.load(in, PASSWORD.toCharArray());
		}
		this.certificates.issued(new Certificates.Order(UUID.randomUUID(), id, this.person.account(), name, 0),
				(PrivateKey) store.getKey(name, PASSWORD.toCharArray()), pem(store), Instant.now(),
				Instant.now().plus(Duration.ofDays(2)));
		return store;
	}

	private static String pem(KeyStore store) throws Exception {
		return "-----BEGIN CERTIFICATE-----\n"
				+ Base64.getMimeEncoder().encodeToString(store.getCertificate(name(store)).getEncoded())
				+ "\n-----END CERTIFICATE-----\n";
	}

	private static String name(KeyStore store) throws Exception {
		return store.aliases().nextElement();
	}

	/** The response of the listener to a check, to a client that trusts a certificate. */
	private String answer(KeyStore trusted, String name) throws Exception {
		KeyStore authorities = KeyStore.getInstance("PKCS12");
		authorities.load(null, null);
		authorities.setCertificateEntry("ca", trusted.getCertificate(name(trusted)));
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(authorities);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trust.getTrustManagers(), null);
		try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
			.createSocket("127.0.0.1", this.listener.port())) {
			SSLParameters parameters = socket.getSSLParameters();
			parameters.setServerNames(List.of(new SNIHostName(name)));
			socket.setSSLParameters(parameters);
			socket.startHandshake();
			socket.getOutputStream()
				.write(("GET " + TrackingNames.PROOF_PATH + NONCE + " HTTP/1.1\r\nHost: " + name
						+ "\r\nConnection: close\r\n\r\n")
					.getBytes(US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), US_ASCII).strip();
		}
	}

}
