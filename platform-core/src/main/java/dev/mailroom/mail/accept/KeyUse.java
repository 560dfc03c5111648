package dev.mailroom.mail.accept;

import java.util.Locale;
import java.util.Optional;

import dev.mailroom.Refusal;

/** Application event: the result of a request with an Idempotency-Key. */
public enum KeyUse {

	/** The request did the work. */
	NEW,

	/** The response of an earlier request was repeated. */
	REPLAYED,

	/** Refused: the key was used with another body. */
	REUSED,

	/** Refused: the request that holds the key has not ended. */
	IN_PROGRESS;

	static Optional<KeyUse> of(Refusal refusal) {
		if (refusal.equals(Idempotency.REUSED)) {
			return Optional.of(REUSED);
		}
		return refusal.equals(Idempotency.IN_PROGRESS) ? Optional.of(IN_PROGRESS) : Optional.empty();
	}

	/** The name in lower case. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
