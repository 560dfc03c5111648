package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Conditions on mails; a null one is not applied.
 *
 * @param status pending, sent, delivered, bounced, complained or failed
 * @param states states of which the mail has one; empty for any
 * @param campaignId the campaign that the mails belong to
 * @param stream transactional or campaign
 * @param tag name of a tag that the mail has
 * @param tagValue value of that tag
 * @param from earliest time of acceptance
 * @param until time before which the mail was accepted
 */
public record MailFilter(@Nullable UUID domainId, @Nullable String status, Set<MailState> states,
		@Nullable UUID campaignId, @Nullable String stream, @Nullable String tag, @Nullable String tagValue,
		@Nullable Instant from, @Nullable Instant until) {

	private static final Set<String> TROUBLE = Set.of("bounced", "complained", "failed");

	private static final Set<MailState> LATER = Set.of(MailState.SCHEDULED, MailState.DEFERRED);

	public MailFilter {
		states = Set.copyOf(states);
	}

	/** Whether there is a condition that the list of all mails does not have. */
	public boolean isSearch() {
		return !this.states.isEmpty() || this.campaignId != null || this.stream != null || this.tag != null
				|| this.from != null || this.until != null;
	}

	/** Statuses that the mails have; empty for any. */
	Set<String> statuses() {
		return (this.status != null) ? Set.of(this.status)
				: this.states.stream().map(MailState::status).collect(Collectors.toSet());
	}

	/** Whether the statuses are among those whose mails have a table of their own. */
	boolean isTrouble() {
		return !statuses().isEmpty() && TROUBLE.containsAll(statuses());
	}

	/** Whether the mails wait for a time. */
	boolean isLater() {
		return this.status == null && !this.states.isEmpty() && LATER.containsAll(this.states);
	}

	/** Whether the mails have rows in the queue. */
	boolean isWaiting() {
		return this.status == null && statuses().equals(Set.of("pending"));
	}

}
