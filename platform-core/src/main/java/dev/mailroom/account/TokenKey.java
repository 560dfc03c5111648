package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

/**
 * A stored key that signs access tokens.
 *
 * @param id the {@code kid} header of the tokens it signs
 * @param sealedJwk its JWK with the private part, sealed
 * @param createdAt time of its publication
 * @param signsFrom time from which it signs
 */
record TokenKey(UUID id, byte[] sealedJwk, Instant createdAt, Instant signsFrom) {

	/** The place that the sealed JWK is bound to. */
	static String place(UUID id) {
		return "signing_key/" + id;
	}
}
