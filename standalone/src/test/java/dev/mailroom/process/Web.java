package dev.mailroom.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HTTP client for one port. */
public final class Web implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final HttpClient client = HttpClient.newHttpClient();

	private final String base;

	private String token = "";

	public Web(int port) {
		this.base = "http://localhost:" + port;
	}

	/** Sets the bearer token of further requests; empty for none. */
	public void use(String token) {
		this.token = token;
	}

	public Answer get(String path) throws IOException, InterruptedException {
		return send(request(path).GET());
	}

	/** Sends a request with additional headers. */
	public Answer get(String path, Map<String, String> headers) throws IOException, InterruptedException {
		HttpRequest.Builder request = request(path).GET();
		headers.forEach(request::header);
		return send(request);
	}

	public Answer post(String path, String body) throws IOException, InterruptedException {
		return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
	}

	public Answer patch(String path, String body) throws IOException, InterruptedException {
		return send(request(path).header("Content-Type", "application/json")
			.method("PATCH", BodyPublishers.ofString(body)));
	}

	public Answer delete(String path) throws IOException, InterruptedException {
		return send(request(path).DELETE());
	}

	/** Sends a request with an idempotency key. */
	public Answer post(String path, String body, String key) throws IOException, InterruptedException {
		return post(path, body, Map.of("Idempotency-Key", key));
	}

	/** Sends a request with additional headers. */
	public Answer post(String path, String body, Map<String, String> headers) throws IOException, InterruptedException {
		HttpRequest.Builder request = request(path).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(body));
		headers.forEach(request::header);
		return send(request);
	}

	private HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.base + path)).timeout(TIMEOUT);
		if (!this.token.isEmpty()) {
			request.header("Authorization", "Bearer " + this.token);
		}
		return request;
	}

	private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.client.send(request.build(), BodyHandlers.ofString());
		return new Answer(response.statusCode(), response.body(), response.headers());
	}

	@Override
	public void close() {
		this.client.close();
	}

	/** A response. */
	public record Answer(int status, String body, HttpHeaders headers) {

		/** The body as JSON; fails if the status is another. */
		public JsonNode json(int expected) {
			if (this.status != expected) {
				throw new AssertionError(this.status + " instead of " + expected + ": " + this.body);
			}
			return JsonMapper.shared().readTree(this.body);
		}

	}

}
