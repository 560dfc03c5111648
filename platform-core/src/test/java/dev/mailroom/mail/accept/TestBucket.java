package dev.mailroom.mail.accept;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;

/**
 * A bucket for tests on a loopback port. It stores objects in memory and does not check
 * signatures.
 */
public final class TestBucket {

	private final Map<String, byte[]> objects = new ConcurrentHashMap<>();

	private final HttpServer server;

	private volatile boolean away;

	public TestBucket() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::serve);
		this.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
		this.server.start();
	}

	public String address() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/** Sets whether requests are answered with 503. */
	public void away(boolean away) {
		this.away = away;
	}

	/** The keys of an account's objects. */
	public List<String> keys(Object account) {
		return this.objects.keySet()
			.stream()
			.filter((path) -> path.contains("/" + account + "/"))
			.map((path) -> path.substring(path.indexOf("/", 1) + 1))
			.sorted()
			.toList();
	}

	/** Deletes the objects of an account. */
	public void lose(Object account) {
		this.objects.keySet().removeIf((path) -> path.contains("/" + account + "/"));
	}

	private void serve(HttpExchange exchange) throws IOException {
		try (exchange) {
			byte[] body = exchange.getRequestBody().readAllBytes();
			String path = exchange.getRequestURI().getPath();
			byte @Nullable [] object = this.objects.get(path);
			if (this.away || !exchange.getRequestHeaders().containsKey("Authorization")) {
				exchange.sendResponseHeaders(this.away ? 503 : 403, -1);
				return;
			}
			switch (exchange.getRequestMethod()) {
				case "PUT" -> {
					this.objects.put(path, body);
					exchange.sendResponseHeaders(200, -1);
				}
				case "DELETE" -> {
					this.objects.remove(path);
					exchange.sendResponseHeaders(204, -1);
				}
				default -> {
					exchange.sendResponseHeaders((object != null) ? 200 : 404, (object != null) ? object.length : -1);
					if (object != null) {
						exchange.getResponseBody().write(object);
					}
				}
			}
		}
	}

}
