package dev.mailroom.worker.webhook;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mailroom.worker.TestCertificate;
import org.jspecify.annotations.Nullable;

/** An HTTP server on loopback that records the calls it receives. */
final class HookServer implements AutoCloseable {

	private static final int HANGS = 0;

	private final List<Received> received = new CopyOnWriteArrayList<>();

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicInteger maxOpen = new AtomicInteger();

	private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

	private final HttpServer server;

	private volatile Answer answer = new Answer(204, Map.of(), "", 0);

	HookServer() {
		this(null);
	}

	HookServer(@Nullable TestCertificate certificate) {
		try {
			InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
			if (certificate != null) {
				HttpsServer secure = HttpsServer.create(address, 0);
				secure.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
				this.server = secure;
			}
			else {
				this.server = HttpServer.create(address, 0);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	String url() {
		return "http://localhost:" + port() + "/hooks?x=1";
	}

	void answers(int status) {
		this.answer = new Answer(status, Map.of(), "", 0);
	}

	void answers(int status, Map<String, String> headers, String body, int delayMillis) {
		this.answer = new Answer(status, headers, body, delayMillis);
	}

	/** Accepts requests and never responds. */
	void hangs() {
		this.answer = new Answer(HANGS, Map.of(), "", 0);
	}

	List<Received> received() {
		return List.copyOf(this.received);
	}

	/** The number of requests in progress. */
	int open() {
		return this.open.get();
	}

	int maxOpen() {
		return this.maxOpen.get();
	}

	private void handle(HttpExchange exchange) throws IOException {
		this.maxOpen.accumulateAndGet(this.open.incrementAndGet(), Math::max);
		try {
			String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			this.received.add(new Received(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
					exchange.getRequestHeaders(), body));
			respond(exchange, this.answer);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		finally {
			exchange.close();
		}
	}

	/**
	 * A request ends before its response is sent, because the next one may follow at
	 * once.
	 */
	private void respond(HttpExchange exchange, Answer answer) throws IOException, InterruptedException {
		if (answer.status() == HANGS) {
			Thread.sleep(60_000);
		}
		Thread.sleep(answer.delayMillis());
		this.open.decrementAndGet();
		answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
		byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(answer.status(), (body.length > 0) ? body.length : -1);
		if (body.length > 0) {
			exchange.getResponseBody().write(body);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	/** A request. */
	record Received(String method, String path, Headers headers, String body) {

		String header(String name) {
			return String.valueOf(this.headers.getFirst(name));
		}

	}

	private record Answer(int status, Map<String, String> headers, String body, int delayMillis) {
	}

}
