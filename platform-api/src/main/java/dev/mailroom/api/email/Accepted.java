package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.accept.MailResult;

/** Response to POST /emails: a bare object. */
record Accepted(UUID id, String from, List<String> to, Instant createdAt) {

	static Accepted of(MailResult.Accepted mail) {
		return new Accepted(mail.id(), mail.from(), mail.to(), mail.createdAt());
	}

}
