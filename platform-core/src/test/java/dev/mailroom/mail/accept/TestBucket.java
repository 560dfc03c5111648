package dev.mailroom.mail.accept;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

	private final Set<String> locked = ConcurrentHashMap.newKeySet();

	private volatile boolean away;

	private volatile boolean missing;

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

	/** Sets whether the bucket does not exist. */
	public void missing(boolean missing) {
		this.missing = missing;
	}

	/** Refuses the deletion of an object from now on. */
	public void lock(String key) {
		this.locked.add(key);
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
			if (this.missing) {
				error(exchange, "NoSuchBucket");
				return;
			}
			switch (exchange.getRequestMethod()) {
				case "PUT" -> {
					this.objects.put(path, body);
					exchange.sendResponseHeaders(200, -1);
				}
				case "DELETE" -> {
					boolean kept = this.locked.contains(path.substring(path.indexOf("/", 1) + 1));
					if (!kept) {
						this.objects.remove(path);
					}
					exchange.sendResponseHeaders(kept ? 403 : 204, -1);
				}
				default -> {
					if (object == null) {
						error(exchange, "NoSuchKey");
						return;
					}
					exchange.sendResponseHeaders(200, object.length);
					exchange.getResponseBody().write(object);
				}
			}
		}
	}

	private static void error(HttpExchange exchange, String code) throws IOException {
		byte[] body = "<Error><Code>%s</Code></Error>".formatted(code).getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(404, body.length);
		exchange.getResponseBody().write(body);
	}

}
