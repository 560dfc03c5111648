package dev.mailroom.account;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;

/**
 * The signing keys at one time, oldest first. Each key is published before it signs, so
 * that verifiers that cache the set have it, and is kept until the last token that it
 * signed has expired.
 *
 * @param keys the keys with their private parts
 * @param readAt time at which they were read
 */
record KeySet(List<Entry> keys, Instant readAt) {

	/**
	 * Time between the publication of a key and its first signature; longer than
	 * verifiers cache the set.
	 */
	static final Duration PUBLICATION_LEAD = Duration.ofHours(1);

	/**
	 * Time for which a key is kept after its successor has begun to sign: the lifetime of
	 * a token and a margin for clock skew.
	 */
	static final Duration RETENTION = AccessTokens.LIFETIME.plusMinutes(5);

	/** A key with its stored row. */
	record Entry(TokenKey row, ECKey key) {
	}

	/**
	 * The key that signs now. If every key is to sign later, because the clock of the
	 * instance that made them is ahead, this is the oldest one.
	 */
	ECKey signer(Instant now) {
		return this.keys.stream()
			.filter((entry) -> !entry.row().signsFrom().isAfter(now))
			.reduce((_, later) -> later)
			.orElseGet(this.keys::getFirst)
			.key();
	}

	/** Whether another key must be published now. */
	boolean needsSuccessor(Instant now, Duration lifetime) {
		return this.keys.isEmpty()
				|| !this.keys.getLast().row().signsFrom().plus(lifetime).isAfter(now.plus(PUBLICATION_LEAD));
	}

	/** Keys whose tokens have all expired. */
	List<Entry> expired(Instant now) {
		return IntStream.range(0, this.keys.size() - 1)
			.filter((i) -> this.keys.get(i + 1).row().signsFrom().plus(RETENTION).isBefore(now))
			.mapToObj(this.keys::get)
			.toList();
	}

	/** The public keys with a key id. */
	List<JWK> named(String kid) {
		return this.keys.stream()
			.map(Entry::key)
			.filter((key) -> kid.equals(key.getKeyID()))
			.<JWK>map(ECKey::toPublicJWK)
			.toList();
	}

	/** The key set to publish, without private parts. */
	JWKSet published() {
		return new JWKSet(this.keys.stream().<JWK>map((entry) -> entry.key().toPublicJWK()).toList());
	}
}
