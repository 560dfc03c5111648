package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Emails;
import org.jspecify.annotations.Nullable;

/** Response to GET /emails/:id: a bare object, with the status of each recipient. */
record EmailDetail(UUID id, String from, List<String> to, List<String> cc, List<String> bcc, List<String> replyTo,
		String subject, String fromEmail, List<String> toEmails, String status, String lastEvent,
		Map<String, Object> tags, @Nullable Instant scheduledAt, int openCount, int clickCount,
		List<Email.Recipient> recipients, Instant createdAt) {

	static EmailDetail of(Emails.Detail detail) {
		Email email = detail.email();
		return new EmailDetail(email.id(), email.sender(), email.toEmails(), email.cc(), email.bcc(), email.replyTo(),
				email.subject(), email.fromEmail(), email.toEmails(), email.status(), email.lastEvent(), email.tags(),
				email.scheduledAt(), email.openCount(), email.clickCount(), detail.recipients(), email.createdAt());
	}

}
