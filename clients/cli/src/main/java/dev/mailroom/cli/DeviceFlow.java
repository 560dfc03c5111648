package dev.mailroom.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.sdk.Json;

/** Device sign-in (RFC 8628) at the server of an address. */
final class DeviceFlow {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";

	private static final int SLOW_DOWN_SECONDS = 5;

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(TIMEOUT)
		.build();

	private final String server;

	private final String client;

	DeviceFlow(String url, String client) {
		this.server = url.replaceAll("/api$", "");
		this.client = client;
	}

	/** Begins a sign-in: the codes and addresses of the server. */
	Value start(String permissions) {
		Value answer = post("/oauth/device_authorization", Map.of("client_id", this.client, "scope", permissions));
		if (answer.at("device_code").absent()) {
			throw refused(answer);
		}
		return answer;
	}

	/**
	 * Waits until the person has answered.
	 * @param interval seconds between two polls
	 * @return the API key
	 */
	String await(String deviceCode, long interval, Runnable eachSecond) {
		long pause = Math.max(1, interval);
		while (true) {
			Value answer = post("/oauth/token",
					Map.of("client_id", this.client, "device_code", deviceCode, "grant_type", GRANT));
			if (!answer.at("access_token").absent()) {
				return answer.at("access_token").raw();
			}
			switch (answer.at("error").raw()) {
				case "authorization_pending" -> {
				}
				case "slow_down" -> pause += SLOW_DOWN_SECONDS;
				default -> throw refused(answer);
			}
			pause(pause, eachSecond);
		}
	}

	private static void pause(long seconds, Runnable eachSecond) {
		try {
			for (long i = 0; i < seconds; i++) {
				eachSecond.run();
				Thread.sleep(1000);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new Failure(Failure.IN_VAIN, "interrupted", "The sign-in was interrupted");
		}
	}

	private static Failure refused(Value answer) {
		String error = answer.at("error").raw();
		int code = error.equals("expired_token") ? Failure.IN_VAIN : Failure.REFUSED;
		return new Failure(code, error.isEmpty() ? "unreadable_response" : error,
				answer.at("error_description").absent() ? "The server does not offer the sign-in"
						: answer.at("error_description").text());
	}

	private Value post(String path, Map<String, String> form) {
		String body = form.entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + Api.encoded(field.getValue()))
			.collect(Collectors.joining("&"));
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.server + path))
			.timeout(TIMEOUT)
			.header("Content-Type", "application/x-www-form-urlencoded")
			.header("Accept", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
			.build();
		try {
			HttpResponse<String> response = this.http.send(request, HttpResponse.BodyHandlers.ofString());
			return new Value(Json.read(response.body()));
		}
		catch (IOException ex) {
			throw new Failure(Failure.UNREACHABLE, "connection_failure",
					"No response from " + this.server + " (" + ex + ")");
		}
		catch (IllegalArgumentException ex) {
			throw new Failure(Failure.UNREACHABLE, "unreadable_response",
					this.server + path + " is no Mailroom server");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new Failure(Failure.IN_VAIN, "interrupted", "The sign-in was interrupted");
		}
	}

}
