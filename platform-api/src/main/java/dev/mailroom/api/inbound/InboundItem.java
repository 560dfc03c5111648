package dev.mailroom.api.inbound;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.inbound.InboundEmail;

/** A received mail as GET /inbound lists it. */
record InboundItem(UUID id, UUID domainId, String fromEmail, String fromName, List<String> toEmails,
		List<String> ccEmails, String subject, String spamVerdict, String virusVerdict, String spfVerdict,
		String dkimVerdict, String dmarcVerdict, String status, Instant createdAt) {

	static InboundItem of(InboundEmail email) {
		return new InboundItem(email.id(), email.domainId(), email.fromEmail(), email.fromName(), email.toEmails(),
				email.ccEmails(), email.subject(), email.spamVerdict(), email.virusVerdict(), email.spfVerdict(),
				email.dkimVerdict(), email.dmarcVerdict(), email.status(), email.createdAt());
	}

}
