package dev.mailroom.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.Event;
import dev.mailroom.event.Kind;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/**
 * A mail sent to every subscribed contact of a contact book.
 *
 * @param sender the From header: address, or Name &lt;address&gt;
 * @param templateId the template that supplies the content until the first start; null if
 * the campaign has its own content
 * @param htmlContent the HTML; before the first start, that of the template at present
 * @param sendAt when the campaign starts or started by schedule; null without one
 * @param startedAt when the campaign first ran, which fixed its content and its number of
 * contacts; null before
 * @param pausedReason why the system paused it; null if its owner did
 * @param totalContacts number of recipients; before the first start, number of contacts
 * in the book
 */
public record Campaign(UUID id, UUID accountId, String name, Status status, String sender, String fromEmail,
		UUID domainId, List<String> replyTo, String subject, UUID contactBookId, String contactBookName,
		@Nullable UUID templateId, @Nullable String htmlContent, @Nullable String textContent, @Nullable Instant sendAt,
		@Nullable Instant startedAt, @Nullable String pausedReason, long totalContacts, long sentCount,
		long deliveredCount, long openedCount, long clickedCount, Instant createdAt, Instant updatedAt) {

	public Campaign {
		replyTo = List.copyOf(replyTo);
	}

	/** The fields with which a request would create this campaign. */
	Form form() {
		boolean own = this.templateId == null;
		return new Form(this.name, this.sender, new ArrayList<>(this.replyTo), this.subject, this.contactBookId,
				this.templateId, own ? this.htmlContent : null, own ? this.textContent : null,
				(this.sendAt != null) ? this.sendAt.toString() : null);
	}

	/** The content, ready to be rendered. */
	public Content content() {
		return new Content(this.subject, this.htmlContent, this.textContent);
	}

	/**
	 * An event about this campaign. Its data leaves out the content, which can be long.
	 */
	Event event(Kind kind) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("name", this.name);
		data.put("status", this.status.wire());
		data.put("from", this.sender);
		data.put("from_email", this.fromEmail);
		data.put("subject", this.subject);
		data.put("contact_book_id", this.contactBookId);
		data.put("contact_book_name", this.contactBookName);
		data.put("total_contacts", this.totalContacts);
		data.put("sent_count", this.sentCount);
		data.put("delivered_count", this.deliveredCount);
		data.put("opened_count", this.openedCount);
		data.put("clicked_count", this.clickedCount);
		data.put("created_at", this.createdAt);
		data.put("updated_at", this.updatedAt);
		if (this.pausedReason != null) {
			data.put("paused_reason", this.pausedReason);
		}
		return new Event(this.accountId, kind, null, data);
	}

	/** The part of a campaign that lists show. */
	public record Listed(UUID id, UUID accountId, String name, Status status, String fromEmail, String subject,
			String contactBookName, long totalContacts, long sentCount, long deliveredCount, long openedCount,
			long clickedCount, Instant createdAt) {
	}

	/** The fields of a campaign as a request gives them, not validated. */
	public record Form(@Nullable String name, @Nullable String from, @Nullable List<@Nullable String> replyTo,
			@Nullable String subject, @Nullable UUID contactBookId, @Nullable UUID templateId,
			@Nullable String htmlContent, @Nullable String textContent, @Nullable String sendAt) {

		/** This form with the fields of the other that may change after a start. */
		Form withNameAndTimeOf(Form other) {
			return new Form(other.name, this.from, this.replyTo, this.subject, this.contactBookId, this.templateId,
					this.htmlContent, this.textContent, other.sendAt);
		}

	}

	/**
	 * Selects the campaigns of a list.
	 *
	 * @param status null for all
	 * @param search part of the name or the subject, matched literally and regardless of
	 * case; null for all
	 */
	public record Filter(@Nullable Status status, @Nullable String search) {

		/** A blank search becomes null; NUL, which PostgreSQL rejects, is replaced. */
		public static Filter of(@Nullable Status status, @Nullable String search) {
			return new Filter(status, (search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD'));
		}

	}

}
