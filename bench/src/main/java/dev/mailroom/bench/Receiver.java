package dev.mailroom.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Await;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import tools.jackson.databind.json.JsonMapper;

/**
 * An account's server for webhook calls on the loopback address, with its endpoint. It
 * answers at once, or never.
 */
public final class Receiver implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private final HttpServer server;

	private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final boolean hangs;

	/** Time from the event to its first call, by id of the event. */
	private final Map<String, Double> millis = new ConcurrentHashMap<>();

	private final Stack stack;

	private final Tenant tenant;

	private final String endpoint;

	/** Starts the server and creates an endpoint for deliveries. */
	public Receiver(Stack stack, Tenant tenant, boolean hangs) throws Exception {
		this.stack = stack;
		this.tenant = tenant;
		this.hangs = hangs;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::receive);
		this.server.setExecutor(this.threads);
		this.server.start();
		String body = JsonMapper.shared()
			.writeValueAsString(Map.of("url", "http://localhost:" + this.server.getAddress().getPort() + "/", "events",
					new String[] { "email.delivered" }));
		try (Web web = web()) {
			this.endpoint = web.post("/api/webhooks/endpoints", body).json(201).at("/data/endpoint/id").stringValue();
		}
	}

	private void receive(HttpExchange call) throws IOException {
		Instant now = Instant.now();
		try (call) {
			String created = JsonMapper.shared()
				.readTree(call.getRequestBody().readAllBytes())
				.at("/created_at")
				.stringValue();
			this.millis.putIfAbsent(call.getRequestHeaders().getFirst("webhook-id"),
					Duration.between(Instant.parse(created), now).toNanos() / 1e6);
			if (this.hangs) {
				this.closed.await();
			}
			call.sendResponseHeaders(204, -1);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	/** Discards the calls of earlier rounds. */
	public void clear() {
		this.millis.clear();
	}

	/** Waits for a number of events and returns a percentile of their times. */
	public double awaitMillis(int events, double percent) throws Exception {
		Await.until(events + " calls arrive", TIMEOUT, () -> this.millis.size() >= events);
		double[] sorted = this.millis.values().stream().mapToDouble(Double::doubleValue).sorted().toArray();
		return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * percent / 100))];
	}

	private Web web() throws Exception {
		Web web = new Web(this.stack.api().apiPort());
		web.use(web
			.post("/api/auth/login", JsonMapper.shared()
				.writeValueAsString(Map.of("email", "owner@" + this.tenant.domain(), "password", Tenant.PASSWORD)))
			.json(200)
			.at("/data/access_token")
			.stringValue());
		return web;
	}

	/** Deletes the endpoint with its pending calls, and stops the server. */
	@Override
	public void close() throws Exception {
		this.closed.countDown();
		this.server.stop(0);
		this.threads.close();
		if (this.stack.api().isAlive()) {
			try (Web web = web()) {
				web.delete("/api/webhooks/endpoints/" + this.endpoint);
			}
		}
	}

}
