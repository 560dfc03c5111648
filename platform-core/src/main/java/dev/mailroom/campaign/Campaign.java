package dev.mailroom.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.Event;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/**
 * One mail to everybody in a contact book.
 *
 * @param sender the From header: address, or Name &lt;address&gt;
 * @param templateId where its content comes from until it starts; null where it has its
 * own
 * @param htmlContent what it says: until it starts, what its template says now
 * @param sendAt when it is, or was, to start by itself; null where it is not
 * @param startedAt when it first ran; its content and contacts are fixed from then on
 * @param pausedReason why the system paused it; null where a person did
 * @param totalContacts how many it goes to; until it starts, how many its book holds
 */
public record Campaign(UUID id, UUID accountId, String name, Status status, String sender, String fromEmail,
		UUID domainId, List<String> replyTo, String subject, UUID contactBookId, String contactBookName,
		@Nullable UUID templateId, @Nullable String htmlContent, @Nullable String textContent, @Nullable Instant sendAt,
		@Nullable Instant startedAt, @Nullable String pausedReason, long totalContacts, long sentCount,
		long deliveredCount, long openedCount, long clickedCount, Instant createdAt, Instant updatedAt) {

	/** The same, as somebody could have asked for it. */
	Asked asked() {
		boolean own = this.templateId == null;
		return new Asked(this.name, this.sender, new ArrayList<>(this.replyTo), this.subject, this.contactBookId,
				this.templateId, own ? this.htmlContent : null, own ? this.textContent : null,
				(this.sendAt != null) ? this.sendAt.toString() : null);
	}

	/** What it says, ready to be rendered. */
	public Content content() {
		return new Content(this.subject, this.htmlContent, this.textContent);
	}

	/** That something happened to it. What it says is too long to be told each time. */
	Event event(String kind) {
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

	/** A campaign as lists show it. */
	public record Listed(UUID id, UUID accountId, String name, String status, String fromEmail, String subject,
			String contactBookName, long totalContacts, long sentCount, long deliveredCount, long openedCount,
			long clickedCount, Instant createdAt) {
	}

	/** A campaign as it was asked for: nothing in it has been looked at yet. */
	public record Asked(@Nullable String name, @Nullable String from, @Nullable List<@Nullable String> replyTo,
			@Nullable String subject, @Nullable UUID contactBookId, @Nullable UUID templateId,
			@Nullable String htmlContent, @Nullable String textContent, @Nullable String sendAt) {

		/** The same but for what may still be changed once a campaign has started. */
		Asked like(Asked other) {
			return new Asked(other.name, this.from, this.replyTo, this.subject, this.contactBookId, this.templateId,
					this.htmlContent, this.textContent, other.sendAt);
		}

	}

	/**
	 * Which campaigns a list is of.
	 *
	 * @param status null for all
	 * @param search a part of the name or the subject, taken literally; null for all
	 */
	public record Filter(@Nullable Status status, @Nullable String search) {

		/** Reads a search; nothing to look for finds all, and NUL stands nowhere. */
		public static Filter of(@Nullable Status status, @Nullable String search) {
			return new Filter(status, (search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD'));
		}

	}

}
