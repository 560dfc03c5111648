package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Conditions on mails; a null one is not applied.
 *
 * @param status pending, sent, delivered, bounced, complained or failed
 * @param campaignId the campaign that the mails belong to
 * @param stream transactional or campaign
 * @param tag name of a tag that the mail has
 * @param tagValue value of that tag
 * @param from earliest time of acceptance
 * @param until time before which the mail was accepted
 */
public record MailFilter(@Nullable UUID domainId, @Nullable String status, @Nullable UUID campaignId,
		@Nullable String stream, @Nullable String tag, @Nullable String tagValue, @Nullable Instant from,
		@Nullable Instant until) {

	private static final Set<String> TROUBLE = Set.of("bounced", "complained", "failed");

	/** Whether there is a condition that the list of all mails does not have. */
	public boolean isSearch() {
		return this.campaignId != null || this.stream != null || this.tag != null || this.from != null
				|| this.until != null;
	}

	/** Whether the status is one of those whose mails have a table of their own. */
	boolean isTrouble() {
		return this.status != null && TROUBLE.contains(this.status);
	}

}
