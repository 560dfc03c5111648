package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The delivery of a mail to one recipient.
 *
 * @param status pending, sent, delivered, bounced, complained, failed or suppressed
 * @param phase queued, leased, in_data or done
 * @param held reason for which it waits: campaign or destination; null if it is not held
 * @param attempt number of attempts begun
 * @param ambiguous number of attempts that ended without a final reply
 * @param reply the last reply or error; null before there is one
 * @param dueAt the earliest time of the next attempt
 * @param settledAt null while it is pending
 */
public record MailDelivery(UUID id, UUID accountId, UUID emailId, String recipient, String status, String phase,
		@Nullable String held, int attempt, int ambiguous, @Nullable String reply, Instant dueAt,
		@Nullable Instant settledAt) {
}
