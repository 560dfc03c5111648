package dev.mailroom.webhook;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

import dev.mailroom.seal.Seal;

import org.springframework.stereotype.Component;

/**
 * Makes what signs an endpoint's calls, as Standard Webhooks writes it, and seals it for
 * its row.
 */
@Component
class SigningSecret {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final int BYTES = 32;

	private final Seal seal;

	SigningSecret(Seal seal) {
		this.seal = seal;
	}

	/** A new secret's text. */
	String make() {
		byte[] secret = new byte[BYTES];
		RANDOM.nextBytes(secret);
		return "whsec_" + Base64.getEncoder().encodeToString(secret);
	}

	byte[] seal(String secret, UUID endpoint, UUID account) {
		return this.seal.seal(secret.getBytes(StandardCharsets.UTF_8), place(endpoint, account));
	}

	/** What the secret is bound to. */
	static String place(UUID endpoint, UUID account) {
		return "webhook_endpoint/" + endpoint + "/" + account;
	}

}
