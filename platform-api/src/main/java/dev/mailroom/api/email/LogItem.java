package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.mail.log.Email;

/** An email, as GET /emails/logs lists it. */
record LogItem(UUID id, String fromEmail, List<String> toEmails, String subject, String status, int openCount,
		int clickCount, Instant createdAt) {

	static LogItem of(Email email) {
		return new LogItem(email.id(), email.fromEmail(), email.toEmails(), email.subject(), email.status(),
				email.openCount(), email.clickCount(), email.createdAt());
	}

}
