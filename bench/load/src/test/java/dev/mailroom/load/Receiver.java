package dev.mailroom.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mailroom.load.installation.Client;
import dev.mailroom.load.installation.Tenant;

/**
 * An owner's server on this machine that receives webhook calls and answers after a
 * delay.
 */
final class Receiver {

	private final HttpServer server;

	private final Duration delay;

	/** Milliseconds from the event to its first call, by id of the event. */
	private final Map<String, Long> calls = new ConcurrentHashMap<>();

	Receiver(Tenant tenant, Duration delay) {
		this.delay = delay;
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::receive);
		this.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
		this.server.start();
		tenant.client()
			.post("/api/webhooks/endpoints",
					Map.of("url", "http://localhost:" + this.server.getAddress().getPort() + "/", "events",
							List.of("email.delivered")));
	}

	private void receive(HttpExchange call) throws IOException {
		Instant created = Instant
			.parse(Client.tree(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
				.at("/created_at")
				.asText());
		this.calls.putIfAbsent(call.getRequestHeaders().getFirst("webhook-id"),
				Duration.between(created, Instant.now()).toMillis());
		LockSupport.parkNanos(this.delay.toNanos());
		call.sendResponseHeaders(204, -1);
		call.close();
	}

	/**
	 * Condition for the ledger: every event was received, 95 % of them within a limit.
	 */
	String received(long events, Duration limit) {
		long[] millis = this.calls.values().stream().mapToLong(Long::longValue).sorted().toArray();
		if (millis.length != events) {
			return "received %d of %d webhook calls".formatted(millis.length, events);
		}
		long p95 = millis[(int) Math.min(millis.length - 1, millis.length * 0.95)];
		return (p95 <= limit.toMillis()) ? "" : "95 %% of the webhook calls within %d ms".formatted(p95);
	}

	void stop() {
		this.server.stop(0);
	}

}
