package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.EmailAddress;
import dev.mailroom.blob.Blob;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.TraceParent;
import dev.mailroom.mail.accept.SendPolicy.SenderStatus;
import dev.mailroom.mail.accept.SendPolicy.SuppressionKey;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.Forward;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * A mail about to be inserted.
 *
 * @param sender the domain that it is sent from
 * @param submitter the key or the person that submitted it
 * @param suppressed the recipients that it must not be sent to
 * @param uploadedParts its parts that are stored in the bucket
 * @param trace the span of its request; null unless that is sampled
 */
record NewEmail(UUID id, UUID accountId, SenderStatus sender, MailAccepted.Channel channel,
		SendRequest.Submitter submitter, CheckedMail mail, Instant createdAt, Set<SuppressionKey> suppressed,
		List<String> uploadedParts, @Nullable TraceParent trace) {

	UUID domainId() {
		return Objects.requireNonNull(this.sender.domainId());
	}

	MailContent content() {
		return this.mail.content();
	}

	List<String> recipients() {
		return this.mail.recipients();
	}

	boolean isSuppressed(String recipient) {
		return this.suppressed.contains(suppressionKey(recipient));
	}

	/** Whether all of its recipients are suppressed. */
	boolean hasNoRecipients() {
		return recipients().stream().allMatch(this::isSuppressed);
	}

	/** Content in the bucket that its rows refer to. */
	Stream<Blob.Name> blobs() {
		return this.uploadedParts.stream().map((part) -> new Blob.Name(this.accountId, this.id, part));
	}

	String status() {
		return hasNoRecipients() ? "failed" : "pending";
	}

	String lastEvent() {
		if (hasNoRecipients()) {
			return "suppressed";
		}
		return (this.mail.sendAt() != null) ? "scheduled" : "queued";
	}

	SendResult.Accepted result() {
		return new SendResult.Accepted(this.id, this.mail.from().toString(),
				this.mail.to().stream().map(Mailbox::toString).toList(), this.createdAt);
	}

	private SuppressionKey suppressionKey(String recipient) {
		return new SuppressionKey(this.accountId, EmailAddress.key(recipient));
	}

	/** Events of its acceptance: scheduled, and each suppressed recipient. */
	Stream<Event> events() {
		Stream<Event> scheduled = (this.mail.sendAt() != null && !hasNoRecipients())
				? Stream.of(event(EventKind.EMAIL_SCHEDULED, Map.of("scheduled_at", this.mail.sendAt().toString())))
				: Stream.empty();
		return Stream.concat(scheduled, recipients().stream().filter(this::isSuppressed).map(this::suppressed));
	}

	private Event suppressed(String recipient) {
		@Nullable Forward forward = this.mail.forward();
		return (forward == null) ? event(EventKind.EMAIL_SUPPRESSED, Map.of("recipient", recipient))
				: event(EventKind.EMAIL_FORWARD_FAILED,
						Map.of("recipient", recipient, "received_id", forward.receivedId(), "address",
								this.mail.from().address().toString(), "failed",
								Map.of("reason", "suppressed", "diagnostic", "")));
	}

	private Event event(EventKind kind, Map<String, Object> data) {
		return new Event(this.accountId, kind, this.id, data);
	}

}
