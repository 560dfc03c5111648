package dev.mailroom.standalone.mailbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.webhook.CallSignature;

/**
 * A webhook call that the mailbox received, as shown in JSON.
 *
 * @param path the path and query
 * @param status the status of the response
 * @param verification the result for a receiver with the endpoint's secret
 */
record ReceivedCall(String id, Instant receivedAt, String path, int status, String verification,
		Map<String, String> headers, String body) {

	private static final Duration TOLERANCE = Duration.ofMinutes(5);

	/**
	 * Verifies a call by Standard Webhooks.
	 * @param headers by name in lower case
	 * @param secrets those of the endpoints with the address of the call
	 */
	static String verify(Map<String, String> headers, byte[] body, List<String> secrets, Instant now) {
		String id = headers.getOrDefault("webhook-id", "");
		String timestamp = headers.getOrDefault("webhook-timestamp", "");
		String signatures = headers.getOrDefault("webhook-signature", "");
		if (id.isEmpty() || signatures.isEmpty() || !timestamp.matches("\\d{1,12}")) {
			return "not signed";
		}
		if (secrets.isEmpty()) {
			return "no endpoint has this address";
		}
		long seconds = Long.parseLong(timestamp);
		if (Duration.between(Instant.ofEpochSecond(seconds), now).abs().compareTo(TOLERANCE) > 0) {
			return "older than five minutes";
		}
		boolean signed = secrets.stream()
			.map((secret) -> CallSignature.of(List.of(secret), id, seconds, body).getBytes(StandardCharsets.US_ASCII))
			.anyMatch((expected) -> Arrays.stream(signatures.split(" "))
				.anyMatch(
						(signature) -> MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.US_ASCII))));
		return signed ? "verified" : "wrong signature";
	}

	/** The call with a new id. */
	static ReceivedCall of(Instant at, String path, int status, String verification, Map<String, String> headers,
			byte[] body) {
		return new ReceivedCall(UUID.randomUUID().toString(), at, path, status, verification, headers,
				new String(body, StandardCharsets.UTF_8));
	}

}
