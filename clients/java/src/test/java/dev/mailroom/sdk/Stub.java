package dev.mailroom.sdk;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A server whose answers are scripted: each request takes the next one, or the last. */
final class Stub implements AutoCloseable {

	static final String KEY = "ek_" + "a".repeat(12) + "_" + "b".repeat(49);

	static final String ACCEPTED = """
			{"id": "m1", "from": "a@b.test", "to": ["c@d.test"], "created_at": "2026-11-21T09:30:00.000Z"}""";

	final List<Request> requests = new CopyOnWriteArrayList<>();

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Answer> answers;

	Stub(Answer... answers) throws IOException {
		this.answers = List.of(answers);
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	Mailroom client() {
		return client(CallOptions.DEFAULT);
	}

	Mailroom client(CallOptions options) {
		return Mailroom.builder()
			.apiKey(KEY)
			.url("http://127.0.0.1:" + this.server.getAddress().getPort() + "/api/")
			.app("shop/4.2")
			.options(options)
			.build();
	}

	/** A header of each request. */
	List<String> header(String name) {
		return this.requests.stream().map((request) -> String.valueOf(request.headers().getFirst(name))).toList();
	}

	private void handle(HttpExchange exchange) throws IOException {
		String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
		this.requests.add(new Request(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
				exchange.getRequestHeaders(), body, System.nanoTime()));
		this.answers.get(Math.min(this.requests.size(), this.answers.size()) - 1).send(exchange);
	}

	static Answer json(int status, String body, String... headers) {
		return (exchange) -> {
			for (int i = 0; i < headers.length; i += 2) {
				exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
			}
			byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(status, bytes.length);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		};
	}

	static Answer refused(int status, String name, String... headers) {
		return json(status, Json.write(Map.of("success", false, "name", name, "message", name + ", because.",
				"docs_url", "https://mail.test/docs/errors/x")), headers);
	}

	/** Ends the connection after the request was read. */
	static Answer cut() {
		return HttpExchange::close;
	}

	/** Never answers. */
	static Answer silence() {
		return (exchange) -> {
		};
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	interface Answer {

		void send(HttpExchange exchange) throws IOException;

	}

	record Request(String method, String uri, Headers headers, String body, long at) {
	}

}
