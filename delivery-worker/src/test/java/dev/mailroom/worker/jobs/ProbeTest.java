package dev.mailroom.worker.jobs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProbeTest {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private HttpServer server;

	private Probe probe;

	/** Response to a mail, and to a question for its status. */
	private volatile int accepted = 200;

	private volatile String status = "delivered";

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/api/emails", this::answer);
		this.server.start();
		this.probe = new Probe(new Probe.Settings("http://127.0.0.1:" + this.server.getAddress().getPort(), "ek_1",
				"probe@a.test", Duration.ofMillis(20), Duration.ofMillis(900)), "mail.test", Clock.systemUTC(),
				this.registry);
	}

	private void answer(HttpExchange call) throws IOException {
		boolean known = "Bearer ek_1".equals(call.getRequestHeaders().getFirst("Authorization"));
		String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
		boolean sends = call.getRequestMethod().equals("POST");
		boolean right = !sends || (body.contains("delivered@simulator.mail.test") && body.contains("probe@a.test"));
		byte[] answer = (sends ? "{\"id\": \"7\"}" : "{\"id\": \"7\", \"status\": \"" + this.status + "\"}")
			.getBytes(StandardCharsets.UTF_8);
		int ifRight = sends ? this.accepted : 200;
		call.sendResponseHeaders((known && right) ? ifRight : 400, answer.length);
		call.getResponseBody().write(answer);
		call.close();
	}

	@AfterEach
	void stop() {
		this.probe.destroy();
		this.server.stop(0);
	}

	@Test
	void aMailThatIsDeliveredIsTimedAndMovesTheTimeOfTheLastSuccess() {
		double before = this.registry.get("mailroom.probe.last.success").gauge().value();
		awaitResult("delivered");
		assertThat(this.registry.get("mailroom.probe").timer().count()).isPositive();
		assertThat(this.registry.get("mailroom.probe.last.success").gauge().value()).isGreaterThan(before);
	}

	@Test
	void aMailThatIsNotDeliveredInTimeIsLate() {
		this.status = "queued";
		awaitResult("late");
	}

	@Test
	void anErrorOfTheApiIsARefusal() {
		this.accepted = 503;
		awaitResult("refused");
	}

	@Test
	void anAddressThatDoesNotRespondIsUnreachable() {
		this.server.stop(0);
		awaitResult("unreachable");
	}

	private void awaitResult(String result) {
		Await.until(result,
				() -> this.registry.get("mailroom.probe.total").tag("result", result).counter().count() > 0);
	}

}
