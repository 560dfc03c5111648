package dev.mailroom.sdk;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/**
 * Verifies and signs calls of webhook endpoints (Standard Webhooks).
 */
public final class WebhookCalls {

	private static final Duration TOLERANCE = Duration.ofMinutes(5);

	private static final String ID = "webhook-id";

	private static final String TIMESTAMP = "webhook-timestamp";

	private static final String SIGNATURE = "webhook-signature";

	private final List<byte[]> secrets;

	private final Clock clock;

	WebhookCalls(Clock clock, Collection<String> secrets) {
		if (secrets.isEmpty()) {
			throw new IllegalArgumentException("There is no secret");
		}
		this.clock = clock;
		this.secrets = secrets.stream().map(WebhookCalls::bytes).toList();
	}

	/** Verifies with the secret of an endpoint; several while it is rotated. */
	public static WebhookCalls of(String... secrets) {
		return new WebhookCalls(Clock.systemUTC(), List.of(secrets));
	}

	/**
	 * Verifies a call.
	 * @param body the body as it was received, before it is parsed
	 * @param header gives the value of a header, null if there is none:
	 * {@code request::getHeader}
	 * @throws WebhookException if the call is not of the holder of the secret
	 */
	public WebhookEvent verify(byte[] body, Function<String, @Nullable String> header) {
		@Nullable String id = header.apply(ID);
		@Nullable String timestamp = header.apply(TIMESTAMP);
		@Nullable String signatures = header.apply(SIGNATURE);
		if (id == null || timestamp == null || signatures == null) {
			throw new WebhookException.MissingHeaders(
					"The call lacks webhook-id, webhook-timestamp or webhook-signature");
		}
		if (!timestamp.matches("[0-9]{1,12}") || age(timestamp).abs().compareTo(TOLERANCE) > 0) {
			throw new WebhookException.Expired("The call is older than five minutes, or from the future");
		}
		boolean signed = Arrays.stream(signatures.split(" "))
			.anyMatch((signature) -> this.secrets.stream()
				.anyMatch((secret) -> isEqual(signature, signature(secret, id, timestamp, body))));
		if (!signed) {
			throw new WebhookException.WrongSignature("No signature of the call is of this secret and this body");
		}
		try {
			return WebhookEvents.of(JsonObject.read(new String(body, StandardCharsets.UTF_8)));
		}
		catch (IllegalArgumentException ex) {
			throw new WebhookException.WrongShape(ex);
		}
	}

	/** Signs a body as Mailroom does, for tests: the headers of the call. */
	public static Map<String, String> sign(byte[] body, String secret, String id, Instant time) {
		String timestamp = Long.toString(time.getEpochSecond());
		return Map.of(ID, id, TIMESTAMP, timestamp, SIGNATURE, signature(bytes(secret), id, timestamp, body));
	}

	private Duration age(String timestamp) {
		return Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), this.clock.instant());
	}

	private static byte[] bytes(String secret) {
		return Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring(6) : secret);
	}

	private static String signature(byte[] secret, String id, String timestamp, byte[] body) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(secret, "HmacSHA256"));
			mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
			return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("HMAC-SHA256 is part of every JDK", ex);
		}
	}

	private static boolean isEqual(String one, String other) {
		return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
	}

}
