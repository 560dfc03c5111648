package dev.mailroom.spring;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;

/** A server that answers every request in one way. */
final class Server implements AutoCloseable {

	static final String ACCEPTED = """
			{"id": "m1", "from": "a@b.test", "to": ["c@d.test"], "created_at": "2026-11-21T09:30:00.000Z"}""";

	final List<Request> requests = new CopyOnWriteArrayList<>();

	private final HttpServer server;

	volatile int status = 200;

	volatile String body = ACCEPTED;

	Server() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			this.requests.add(new Request(exchange.getRequestURI().toString(), exchange.getRequestHeaders(),
					new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
			byte[] bytes = this.body.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(this.status, bytes.length);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		});
		this.server.start();
	}

	String[] properties() {
		return new String[] { "mailroom.api-key=ek_aaaaaaaaaaaa_key", "mailroom.retries=0",
				"mailroom.url=http://127.0.0.1:" + this.server.getAddress().getPort() + "/api" };
	}

	void refuse(int status, String name) {
		this.status = status;
		this.body = "{\"name\": \"" + name + "\", \"message\": \"because\"}";
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

	record Request(String uri, Headers headers, String body) {

		String key() {
			return this.headers.getFirst("Idempotency-Key");
		}

	}

}
