package dev.mailroom.webhook;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

import dev.mailroom.secret.Seal;

import org.springframework.stereotype.Component;

/**
 * Secrets that sign the calls to an endpoint (Standard Webhooks): generates them and
 * seals them for storage.
 */
@Component
class SigningSecret {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final int BYTES = 32;

	private final Seal seal;

	SigningSecret(Seal seal) {
		this.seal = seal;
	}

	/** Generates a secret: {@code whsec_} and 32 bytes in base64. */
	String generate() {
		byte[] secret = new byte[BYTES];
		RANDOM.nextBytes(secret);
		return "whsec_" + Base64.getEncoder().encodeToString(secret);
	}

	byte[] seal(String secret, UUID endpoint, UUID account) {
		return this.seal.seal(secret.getBytes(StandardCharsets.UTF_8), context(endpoint, account));
	}

	/** Opens a sealed secret of the row. */
	String open(byte[] sealed, String context) {
		return new String(this.seal.open(sealed, context), StandardCharsets.UTF_8);
	}

	/** The row that a sealed secret is bound to. */
	static String context(UUID endpoint, UUID account) {
		return "webhook_endpoint/" + endpoint + "/" + account;
	}

}
