package dev.mailroom.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of calls according to Standard Webhooks, version 1. */
public final class CallSignature {

	private static final String ALGORITHM = "HmacSHA256";

	private static final String SECRET_PREFIX = "whsec_";

	private CallSignature() {
	}

	/**
	 * The header {@code webhook-signature}: one signature for each secret, separated by
	 * spaces.
	 * @param secrets {@code whsec_} and the key in base64
	 * @param timestamp seconds since 1970
	 */
	public static String of(List<String> secrets, String id, long timestamp, byte[] body) {
		byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
		return secrets.stream().map((secret) -> "v1," + sign(secret, head, body)).collect(Collectors.joining(" "));
	}

	private static String sign(String secret, byte[] head, byte[] body) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(
					new SecretKeySpec(Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length())), ALGORITHM));
			mac.update(head);
			return Base64.getEncoder().encodeToString(mac.doFinal(body));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot sign a webhook call", ex);
		}
	}

}
