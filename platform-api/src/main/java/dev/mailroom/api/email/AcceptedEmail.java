package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.mail.accept.SendResult;

/** Response to POST /emails: a bare object. */
record AcceptedEmail(UUID id, String from, List<String> to, Instant createdAt) {

	static AcceptedEmail of(SendResult.Accepted mail) {
		return new AcceptedEmail(mail.id(), mail.from(), mail.to(), mail.createdAt());
	}

}
