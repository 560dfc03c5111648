package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.mailroom.Refusal;

/** Result of one mail of a request. Stored as JSON with the request's Idempotency-Key. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "result")
@JsonSubTypes({ @JsonSubTypes.Type(value = MailResult.Accepted.class, name = "accepted"),
		@JsonSubTypes.Type(value = MailResult.Rejected.class, name = "rejected") })
public sealed interface MailResult {

	/**
	 * Accepted: the mail's rows are committed.
	 *
	 * @param from as in the From header
	 */
	record Accepted(UUID id, String from, List<String> to, Instant createdAt) implements MailResult {
	}

	/**
	 * Refused: nothing of the mail is stored, and it does not count against the quota.
	 */
	record Rejected(Refusal refusal, String message) implements MailResult {
	}

}
