package dev.mailroom.worker.tracking;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.UnaryOperator;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mailroom.domain.NameServers;
import dev.mailroom.trackingdomain.TrackingDomain.Due;
import dev.mailroom.trackingdomain.TrackingDomains;
import dev.mailroom.trackingdomain.TrackingFinding;
import dev.mailroom.trackingdomain.TrackingNames;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.webhook.CheckedAddresses;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class TrackingProbeTest {

	private static final String NAME = "hook.localhost";

	@Autowired
	NameServers dns;

	@Autowired
	TrackingDomains domains;

	@Autowired
	TrackingNames names;

	@Autowired
	CheckedAddresses addresses;

	private HttpsServer server;

	private volatile int status = 200;

	private volatile UnaryOperator<String> answer = (nonce) -> this.names.proof(NAME, nonce);

	@BeforeEach
	void serve() throws Exception {
		Surroundings.DNS.publish("CNAME", NAME, "links.platform.test");
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
		this.server.setHttpsConfigurator(new HttpsConfigurator(Surroundings.HOOK_CERTIFICATE.context()));
		this.server.createContext(TrackingNames.PROOF_PATH, (exchange) -> {
			String nonce = exchange.getRequestURI().getPath().substring(TrackingNames.PROOF_PATH.length());
			byte[] body = this.answer.apply(nonce).getBytes(StandardCharsets.US_ASCII);
			exchange.sendResponseHeaders(this.status, body.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(body);
			}
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
		Surroundings.DNS.remove("CNAME", NAME);
		Surroundings.DNS.remove("CNAME", "other.localhost");
	}

	@Test
	void aNameIsReachedIfItsRecordLeadsHereAndHttpsAnswersTheNonce() throws Exception {
		assertThat(check(NAME, trusting())).isInstanceOf(TrackingFinding.Reached.class);
		this.answer = (_) -> this.names.proof(NAME, "0".repeat(32));
		assertThat(check(NAME, trusting())).isInstanceOf(TrackingFinding.Unreached.class);
		this.status = 302;
		assertThat(check(NAME, trusting()).error()).contains("302");
	}

	@Test
	void aCertificateThatIsNotTrustedOrNotOfTheNameDoesNotCount() throws Exception {
		assertThat(check(NAME, null)).isInstanceOf(TrackingFinding.Unreached.class);
		assertThat(check(NAME, null).error()).contains("certificate");
		Surroundings.DNS.publish("CNAME", "other.localhost", "links.platform.test");
		this.answer = (nonce) -> this.names.proof("other.localhost", nonce);
		assertThat(check("other.localhost", trusting())).isInstanceOf(TrackingFinding.Unreached.class);
	}

	@Test
	void aRecordThatIsMissingOrLeadsElsewhereIsNamedAndNoAnswerIsNone() throws Exception {
		Surroundings.DNS.publish("CNAME", NAME, "other.test");
		assertThat(check(NAME, trusting())).isEqualTo(new TrackingFinding.Elsewhere(
				"Expected CNAME hook.localhost to be links.platform.test, found other.test"));
		Surroundings.DNS.remove("CNAME", NAME);
		assertThat(check(NAME, trusting())).isEqualTo(new TrackingFinding.Elsewhere(
				"Expected CNAME hook.localhost to be links.platform.test, found nothing"));
		Surroundings.DNS.fail("CNAME", "unanswered.localhost");
		assertThat(check("unanswered.localhost", trusting())).isInstanceOf(TrackingFinding.Unknown.class);
	}

	@Test
	void aNameWithAPrivateAddressIsNotCalled() throws Exception {
		Surroundings.DNS.publish("CNAME", "inside.test", "links.platform.test");
		Surroundings.DNS.publish("A", "links.platform.test", "10.0.0.1");
		assertThat(check("inside.test", trusting()).error()).contains("not public");
	}

	private TrackingFinding check(String name, @Nullable SslContext trusted) {
		TrackingProbe probe = new TrackingProbe(this.dns, this.domains, this.names, this.addresses,
				this.server.getAddress().getPort(), trusted);
		return probe.check(new Due(UUID.randomUUID(), UUID.randomUUID(), name));
	}

	private static SslContext trusting() throws Exception {
		return SslContextBuilder.forClient().trustManager(Surroundings.HOOK_CERTIFICATE.pem().toFile()).build();
	}

}
