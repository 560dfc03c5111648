package dev.mailroom.worker.tracking;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.UUID;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.domain.NameServers;
import dev.mailroom.trackingdomain.Certificates;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.TestCertificate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Orders at Debian's pebble, an authority for tests; skipped where it is missing. */
@Surroundings.WorkerAlone
class AcmeOrdersTest {

	private static final Path PEBBLE = Path.of("/usr/bin/pebble");

	private static final String CHALLENGES = "/.well-known/acme-challenge/";

	@TempDir
	Path directory;

	@Autowired
	Certificates certificates;

	@Autowired
	NameServers dns;

	private final Scope sender = Given.sender("free");

	private final String name = "links." + this.sender.domain() + ".test";

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private HttpServer api;

	private int tlsPort;

	private Process pebble;

	private AcmeOrders orders;

	@BeforeEach
	void startAuthority() throws Exception {
		assumeTrue(Files.isExecutable(PEBBLE));
		this.api = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
		this.api.createContext(CHALLENGES, (exchange) -> {
			String token = exchange.getRequestURI().getPath().substring(CHALLENGES.length());
			byte[] answer = await(this.certificates.answer(token)).getBytes(StandardCharsets.US_ASCII);
			exchange.sendResponseHeaders(200, answer.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(answer);
			}
		});
		this.api.start();
		TestCertificate own = TestCertificate.of("localhost", this.directory);
		own.writeKey(this.directory.resolve("key.pem"));
		int port = freePort();
		this.tlsPort = freePort();
		Path config = Files.writeString(this.directory.resolve("pebble.json"), """
				{"pebble": {"listenAddress": "127.0.0.1:%d", "managementListenAddress": "127.0.0.1:%d",
				 "certificate": "%s", "privateKey": "%s", "httpPort": %d, "tlsPort": %d}}
				""".formatted(port, freePort(), own.pem(), this.directory.resolve("key.pem"),
				this.api.getAddress().getPort(), this.tlsPort));
		ProcessBuilder command = new ProcessBuilder(PEBBLE.toString(), "-config", config.toString(), "-dnsserver",
				Surroundings.DNS.address())
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("pebble.log").toFile());
		command.environment().put("PEBBLE_VA_NOSLEEP", "1");
		command.environment().put("PEBBLE_WFE_NONCEREJECT", "0");
		this.pebble = command.start();
		until("the authority", () -> Files.readString(this.directory.resolve("pebble.log")).contains("ACME directory"));
		this.orders = new AcmeOrders(new AcmeSettings("https://localhost:" + port + "/dir", own.pem()),
				this.certificates, this.dns, this.registry);
		Surroundings.DNS.publish("A", this.name, "127.0.0.1");
		Given.run("update tracking_domain set renew_at = 'infinity'; delete from acme_order");
		Given.run(
				"insert into tracking_domain (id, account_id, domain_id, name, state, created_at) values "
						+ "('%s', '%s', '%s', '%s', 'dns_ok', now())",
				UUID.randomUUID(), this.sender.account(), this.sender.domain(), this.name);
	}

	@AfterEach
	void stop() {
		if (this.pebble != null) {
			this.pebble.destroy();
		}
		if (this.api != null) {
			this.api.stop(0);
		}
	}

	@Test
	void aCertificateIsOrderedAndRenewed() {
		assertThat(this.orders.run()).isEqualTo(1);
		String chain = await(this.certificates.find(this.name)).chain();
		assertThat(chain).contains("BEGIN CERTIFICATE");
		assertThat(this.orders.run()).isZero();
		Given.run("update tracking_domain set renew_at = now() where name = '%s'", this.name);
		assertThat(this.orders.run()).isEqualTo(1);
		assertThat(await(this.certificates.find(this.name)).chain()).isNotEqualTo(chain);
		assertThat(this.registry.counter("mailroom.acme.orders", "result", "issued").count()).isEqualTo(2);
	}

	@Test
	void anOrderThatFailsIsRecordedWithItsReasonAndKeepsTheCertificate() {
		assertThat(this.orders.run()).isEqualTo(1);
		this.api.removeContext(CHALLENGES);
		String other = "other." + this.name;
		Surroundings.DNS.publish("A", other, "127.0.0.1");
		Given.run("update tracking_domain set name = '%s', renew_at = now() where name = '%s'", other, this.name);
		assertThat(this.orders.run()).isZero();
		assertThat(Given.rows("select result || ' ' || error from acme_order where name = '%s'", other)).singleElement()
			.asString()
			.startsWith("failed ")
			.contains("404");
		assertThat(await(this.certificates.find(other)).chain()).contains("BEGIN CERTIFICATE");
		assertThat(this.certificates.counts()).containsKey("failing");
	}

	@Test
	void afterAFailureAnOrderIsProvedInTheTlsHandshake() throws Exception {
		this.api.removeContext(CHALLENGES);
		assertThat(this.orders.run()).isZero();
		Given.run("update tracking_domain set renew_at = now() where name = '%s'", this.name);
		try (ServerSocket listener = new ServerSocket(this.tlsPort, 9, InetAddress.ofLiteral("127.0.0.1"))) {
			Thread.ofVirtual().start(() -> answer(listener));
			assertThat(this.orders.run())
				.as(() -> Given.rows("select result || ' ' || error from acme_order where name = '%s'", this.name)
					.toString())
				.isEqualTo(1);
		}
		assertThat(await(this.certificates.find(this.name)).chain()).contains("BEGIN CERTIFICATE");
	}

	/**
	 * Shows the authority what is published, as the API does, until the listener is
	 * closed.
	 */
	private void answer(ServerSocket listener) {
		while (!listener.isClosed()) {
			try (Socket connection = listener.accept();
					SSLSocket tls = (SSLSocket) context().getSocketFactory()
						.createSocket(connection, null, connection.getPort(), true)) {
				tls.setUseClientMode(false);
				SSLParameters parameters = tls.getSSLParameters();
				parameters.setApplicationProtocols(new String[] { "acme-tls/1" });
				tls.setSSLParameters(parameters);
				tls.startHandshake();
				tls.getInputStream().read();
			}
			catch (Exception _) {
				// The authority asks several times, or the listener is closed.
			}
		}
	}

	private SSLContext context() throws Exception {
		Certificates.Certificate published = await(this.certificates.challenge(this.name));
		KeyStore keys = KeyStore.getInstance("PKCS12");
		keys.load(null, null);
		keys.setKeyEntry("challenge", published.key(), new char[0],
				CertificateFactory.getInstance("X.509")
					.generateCertificates(
							new ByteArrayInputStream(published.chain().getBytes(StandardCharsets.US_ASCII)))
					.toArray(Certificate[]::new));
		KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		managers.init(keys, new char[0]);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(managers.getKeyManagers(), null, null);
		return context;
	}

	private static int freePort() throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
			return socket.getLocalPort();
		}
	}

}
