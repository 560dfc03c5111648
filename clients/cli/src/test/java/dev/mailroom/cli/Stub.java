package dev.mailroom.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A server with fixed answers, and the program in a home directory of its own. */
final class Stub implements AutoCloseable {

	static final String KEY = "ek_" + "a".repeat(12) + "_" + "b".repeat(49);

	final List<Request> requests = new CopyOnWriteArrayList<>();

	final Map<String, String> environment = new HashMap<>();

	final String url;

	private final Map<String, Answer> answers = new ConcurrentHashMap<>();

	private final Map<String, Integer> left = new ConcurrentHashMap<>();

	/** A method and path whose further requests are not answered. */
	private volatile String unanswered = "";

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	Stub(Path home) throws IOException {
		this.environment.put("HOME", home.toString());
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::handle);
		this.server.start();
		this.url = "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/** Signs the program in by its environment. */
	Stub signedIn() {
		this.environment.put("MAILROOM_API_KEY", KEY);
		this.environment.put("MAILROOM_URL", this.url);
		return this;
	}

	/** Answers a method and path below {@code /api}, or any other path. */
	Stub answer(String request, String body) {
		return answer(request, 200, "application/json", body);
	}

	Stub answer(String request, int status, String type, String body) {
		this.answers.put(request, new Answer(status, type, body));
		return this;
	}

	Stub refuse(String request, int status, String name) {
		return answer(request, status, "application/json",
				"""
						{"success": false, "name": "%s", "message": "Refused \\u001b[31m.", "docs_url": "https://mail.test/e"}"""
					.formatted(name));
	}

	/** Answers some more of these requests, and refuses the others. */
	void failAfter(String request, int count) {
		this.left.put(request, count);
	}

	/** Answers some more of these requests; the others wait for ever. */
	void hangAfter(String request, int count) {
		this.unanswered = request;
		failAfter(request, count);
	}

	private void handle(HttpExchange exchange) throws IOException {
		String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
		String path = exchange.getRequestURI().getPath().replaceFirst("^/api/", "/");
		Map<String, String> headers = new HashMap<>();
		exchange.getRequestHeaders()
			.forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
		this.requests.add(new Request(exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body));
		Answer answer = this.answers.getOrDefault(exchange.getRequestMethod() + " " + path, new Answer(404,
				"application/json", "{\"success\": false, \"name\": \"not_found\", \"message\": \"Not found\"}"));
		Integer more = this.left.computeIfPresent(exchange.getRequestMethod() + " " + path, (name, count) -> count - 1);
		if (more != null && more < 0 && this.unanswered.equals(exchange.getRequestMethod() + " " + path)) {
			return;
		}
		if (more != null && more < 0) {
			answer = new Answer(501, "application/json", "{}");
		}
		byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", answer.type);
		exchange.sendResponseHeaders(answer.status, (bytes.length > 0) ? bytes.length : -1);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	/** Runs the program without a terminal. */
	Result run(String... arguments) {
		return run("", false, arguments);
	}

	/** Runs the program as if a person saw its output. */
	Result show(String... arguments) {
		return run("", true, arguments);
	}

	Result run(String input, boolean terminal, String... arguments) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ByteArrayOutputStream err = new ByteArrayOutputStream();
		Program program = new Program(this.environment,
				new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
				new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8),
				false, terminal, false);
		int code = Main.run(program, arguments);
		return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	record Request(String method, String uri, Map<String, String> headers, String body) {
	}

	record Result(int code, String out, String err) {
	}

	private record Answer(int status, String type, String body) {
	}

}
