package dev.mailroom.load.installation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Supplier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Blocking JSON requests for preparation and checks, outside the measurement. */
public final class Client {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final ObjectMapper JSON = new ObjectMapper();

	private final String base;

	private final Supplier<String> token;

	/** Creates a client whose requests have a bearer token, unless it is empty. */
	public Client(String base, Supplier<String> token) {
		this.base = base;
		this.token = token;
	}

	public JsonNode get(String path) {
		return tree(text(path));
	}

	/** Body of a response that may be another format than JSON. */
	public String text(String path) {
		return send(request(path).GET());
	}

	public JsonNode post(String path, Object body) {
		return tree(send(request(path).POST(BodyPublishers.ofString(json(body)))));
	}

	private HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.base + path))
			.timeout(TIMEOUT)
			.header("Content-Type", "application/json");
		if (!this.token.get().isEmpty()) {
			request.header("Authorization", "Bearer " + this.token.get());
		}
		return request;
	}

	private static String send(HttpRequest.Builder builder) {
		HttpRequest request = builder.build();
		try {
			HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
			if (response.statusCode() / 100 != 2) {
				throw new IllegalStateException(request.method() + " " + request.uri() + " returned "
						+ response.statusCode() + ": " + response.body());
			}
			return response.body();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(request.uri() + " is not available", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** A value as JSON. */
	public static String json(Object value) {
		try {
			return JSON.writeValueAsString(value);
		}
		catch (JsonProcessingException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	/** A JSON text as a tree. */
	public static JsonNode tree(String text) {
		try {
			return JSON.readTree(text);
		}
		catch (JsonProcessingException ex) {
			throw new IllegalArgumentException(text, ex);
		}
	}

}
