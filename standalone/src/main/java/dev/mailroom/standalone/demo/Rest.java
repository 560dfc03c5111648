package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HTTP client with JSON bodies. A request above the rate limit is repeated later. */
final class Rest implements AutoCloseable {

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int MAX_ATTEMPTS = 30;

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final HttpClient client = HttpClient.newHttpClient();

	private final String origin;

	Rest(int port) {
		this.origin = "http://localhost:" + port;
	}

	JsonNode get(String path) throws IOException, InterruptedException {
		return send(request(path).GET());
	}

	JsonNode post(String path, Object body) throws IOException, InterruptedException {
		return post("", path, body);
	}

	/**
	 * Sends a POST request and returns the response's body.
	 * @param credential access token or API key; empty for none
	 */
	JsonNode post(String credential, String path, Object body) throws IOException, InterruptedException {
		return send(with(credential, request(path)).POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
	}

	JsonNode put(String credential, String path, Object body) throws IOException, InterruptedException {
		return send(with(credential, request(path)).PUT(BodyPublishers.ofString(JSON.writeValueAsString(body))));
	}

	JsonNode patch(String credential, String path, Object body) throws IOException, InterruptedException {
		return send(with(credential, request(path)).method("PATCH",
				BodyPublishers.ofString(JSON.writeValueAsString(body))));
	}

	/** Follows a link of a mail as the browser of a person does. */
	void visit(URI link, String userAgent) throws IOException, InterruptedException {
		visit(link, userAgent, "GET");
	}

	/** Unsubscribes by the link of a mail (RFC 8058). */
	void unsubscribe(URI link, String userAgent) throws IOException, InterruptedException {
		visit(link, userAgent, "POST");
	}

	private void visit(URI link, String userAgent, String method) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.origin + link.getRawPath()))
			.header("User-Agent", userAgent)
			.method(method, BodyPublishers.noBody());
		int status = this.client.send(request.build(), BodyHandlers.discarding()).statusCode();
		if (status >= 400) {
			throw new IOException("HTTP " + status + " for " + method + " of a link");
		}
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.origin + path)).header("Content-Type", "application/json");
	}

	private static HttpRequest.Builder with(String credential, HttpRequest.Builder request) {
		return credential.isEmpty() ? request : request.header("Authorization", "Bearer " + credential);
	}

	private JsonNode send(HttpRequest.Builder builder) throws IOException, InterruptedException {
		HttpRequest request = builder.build();
		for (int attempt = 1;; attempt++) {
			HttpResponse<String> response = this.client.send(request, BodyHandlers.ofString());
			if (response.statusCode() == TOO_MANY_REQUESTS && attempt < MAX_ATTEMPTS) {
				TimeUnit.MILLISECONDS.sleep(250);
			}
			else if (response.statusCode() < 300) {
				return JSON.readTree(response.body());
			}
			else {
				throw new IOException("HTTP " + response.statusCode() + " for " + request.method() + " "
						+ request.uri().getPath() + ": " + response.body());
			}
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

}
