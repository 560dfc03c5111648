package dev.mailroom.accept;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.blob.Blob;
import dev.mailroom.event.Event;
import dev.mailroom.event.Kind;
import dev.mailroom.suppression.SuppressionKey;

/**
 * A mail about to be inserted.
 *
 * @param suppressed those of its recipients, lower-case, whom it must not reach
 * @param outside its parts that lie in the bucket
 */
record NewEmail(UUID id, UUID accountId, UUID domainId, Draft draft, Instant createdAt, Set<SuppressionKey> suppressed,
		List<String> outside) {

	List<String> recipients() {
		return this.draft.recipients();
	}

	Stream<SuppressionKey> targets() {
		return recipients().stream().map(this::target);
	}

	boolean isSuppressed(String recipient) {
		return this.suppressed.contains(target(recipient));
	}

	/** Whether nobody is left to send it to. */
	boolean isLost() {
		return recipients().stream().allMatch(this::isSuppressed);
	}

	/** What its commit refers to. */
	Stream<Blob.Name> blobs() {
		return this.outside.stream().map((part) -> new Blob.Name(this.accountId, this.id, part));
	}

	String status() {
		return isLost() ? "failed" : "pending";
	}

	String lastEvent() {
		if (isLost()) {
			return "suppressed";
		}
		return (this.draft.sendAt() != null) ? "scheduled" : "queued";
	}

	MailResult.Taken taken() {
		return new MailResult.Taken(this.id, this.draft.from().toString(),
				this.draft.to().stream().map(Mailbox::toString).toList(), this.createdAt);
	}

	private SuppressionKey target(String recipient) {
		return new SuppressionKey(this.accountId, recipient.toLowerCase(Locale.ROOT));
	}

	/**
	 * What is worth telling of its acceptance: that it waits for its time, and whom it
	 * will not reach.
	 */
	Stream<Event> events() {
		Stream<Event> scheduled = (this.draft.sendAt() != null && !isLost())
				? Stream.of(event(Kind.EMAIL_SCHEDULED, Map.of("scheduled_at", this.draft.sendAt().toString())))
				: Stream.empty();
		return Stream.concat(scheduled,
				recipients().stream()
					.filter(this::isSuppressed)
					.map((recipient) -> event(Kind.EMAIL_SUPPRESSED, Map.of("recipient", recipient))));
	}

	private Event event(Kind kind, Map<String, Object> data) {
		return new Event(this.accountId, kind, this.id, data);
	}

}
