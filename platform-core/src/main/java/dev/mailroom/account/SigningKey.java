package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

/**
 * A row of the key ring.
 *
 * @param id the kid of what it signs
 * @param sealedJwk its JWK, sealed
 * @param createdAt since when it is published
 * @param signsFrom since when it signs
 */
record SigningKey(UUID id, byte[] sealedJwk, Instant createdAt, Instant signsFrom) {

	/** What its sealed JWK is bound to. */
	static String place(UUID id) {
		return "signing_key/" + id;
	}
}
