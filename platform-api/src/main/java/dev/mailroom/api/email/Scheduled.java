package dev.mailroom.api.email;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.mail.log.Email;
import org.jspecify.annotations.Nullable;

/** Response to PATCH /emails/:id and to POST /emails/:id/cancel. */
record Scheduled(UUID id, String status, @Nullable Instant sendAt) {

	static Scheduled of(Email email) {
		return new Scheduled(email.id(), email.status(), email.scheduledAt());
	}

}
