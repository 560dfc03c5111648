package dev.mailroom.account;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;

/**
 * The keys at one moment, oldest first. Each is published a while before it signs, so
 * that every verifier has met it, and stays until the last token that it signed is past.
 *
 * @param keys with their private parts
 * @param readAt when they were read
 */
record KeySet(List<Entry> keys, Instant readAt) {

	/**
	 * How long a key is published before it signs: longer than anybody caches the set.
	 */
	static final Duration LEAD = Duration.ofHours(1);

	/** How long a key stays once another signs: its last token, the skew, and spare. */
	static final Duration TRAIL = AccessTokens.LIFETIME.plusMinutes(5);

	/** A key, and since when it signs. */
	record Entry(SigningKey row, ECKey key) {
	}

	/**
	 * The key that signs now. The oldest, where another instance made it a moment ahead
	 * of this one's clock.
	 */
	ECKey signer(Instant now) {
		return this.keys.stream()
			.filter((it) -> !it.row().signsFrom().isAfter(now))
			.reduce((_, later) -> later)
			.orElseGet(this.keys::getFirst)
			.key();
	}

	/** Whether it is time to publish another key. */
	boolean wantsAnother(Instant now, Duration lifetime) {
		return this.keys.isEmpty() || !this.keys.getLast().row().signsFrom().plus(lifetime).isAfter(now.plus(LEAD));
	}

	/** Keys whose last token is past. */
	List<Entry> spent(Instant now) {
		return IntStream.range(0, this.keys.size() - 1)
			.filter((i) -> this.keys.get(i + 1).row().signsFrom().plus(TRAIL).isBefore(now))
			.mapToObj(this.keys::get)
			.toList();
	}

	List<JWK> named(String kid) {
		return this.keys.stream()
			.map(Entry::key)
			.filter((key) -> kid.equals(key.getKeyID()))
			.<JWK>map(ECKey::toPublicJWK)
			.toList();
	}

	/** What is published: no private part. */
	JWKSet published() {
		return new JWKSet(this.keys.stream().<JWK>map((it) -> it.key().toPublicJWK()).toList());
	}
}
