package dev.mailroom.api.suppression;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.suppression.Suppression;

/** An entry of the suppression list as it is shown. */
record SuppressionView(UUID id, String email, String reason, Instant createdAt) {

	static SuppressionView of(Suppression suppression) {
		return new SuppressionView(suppression.id(), suppression.address(), suppression.reason(),
				suppression.createdAt());
	}

}
