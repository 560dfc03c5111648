package dev.mailroom.outcome;

import java.util.UUID;

/**
 * A delivery behind the fence: this worker, and no other, hands it over now.
 *
 * @param attempt hand-overs begun before this one
 * @param ambiguous how many of them ended without an answer
 * @param mail shared by the mail's recipients
 */
public record HandOver(Lease lease, UUID accountId, UUID emailId, UUID domainId, String recipient, int attempt,
		int ambiguous, Mail mail) {
}
