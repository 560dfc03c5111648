package dev.mailroom.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.domain.Warmup;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
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
 * @param filter condition on the contacts; empty for all
 * @param pace maximum number of mails per minute; null without a limit
 * @param totalContacts number of recipients; before the first start, number of contacts
 * in the book
 * @param warmup warm-up of its domain, which limits its mails of a day; null without one
 */
public record Campaign(UUID id, UUID accountId, String name, CampaignStatus status, String sender, String fromEmail,
		UUID domainId, List<String> replyTo, String subject, UUID contactBookId, String contactBookName,
		@Nullable UUID templateId, @Nullable String htmlContent, @Nullable String textContent, @Nullable Instant sendAt,
		@Nullable Instant startedAt, @Nullable String pausedReason, Map<String, Object> filter, @Nullable Integer pace,
		long totalContacts, Counts counts, @Nullable Warmup warmup, Instant createdAt, Instant updatedAt) {

	public Campaign {
		replyTo = List.copyOf(replyTo);
	}

	/** The fields with which a request would create this campaign. */
	Form form() {
		boolean own = this.templateId == null;
		return new Form(this.name, this.sender, new ArrayList<>(this.replyTo), this.subject, this.contactBookId,
				this.templateId, own ? this.htmlContent : null, own ? this.textContent : null,
				(this.sendAt != null) ? this.sendAt.toString() : null, this.filter.isEmpty() ? null : this.filter,
				this.pace);
	}

	public long sentCount() {
		return this.counts.sent();
	}

	public long deliveredCount() {
		return this.counts.delivered();
	}

	public long openedCount() {
		return this.counts.opened();
	}

	public long clickedCount() {
		return this.counts.clicked();
	}

	public long bouncedCount() {
		return this.counts.bounced();
	}

	public long complainedCount() {
		return this.counts.complained();
	}

	public long unsubscribedCount() {
		return this.counts.unsubscribed();
	}

	public long failedCount() {
		return this.counts.failed();
	}

	public long skippedCount() {
		return this.counts.skipped();
	}

	/** The content, ready to be rendered. */
	public Content content() {
		return new Content(this.subject, this.htmlContent, this.textContent);
	}

	/**
	 * An event about this campaign. Its data leaves out the content, which can be long.
	 */
	Event event(EventKind kind) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("name", this.name);
		data.put("status", this.status.contractName());
		data.put("from", this.sender);
		data.put("from_email", this.fromEmail);
		data.put("subject", this.subject);
		data.put("contact_book_id", this.contactBookId);
		data.put("contact_book_name", this.contactBookName);
		data.put("total_contacts", this.totalContacts);
		data.put("sent_count", this.counts.sent());
		data.put("delivered_count", this.counts.delivered());
		data.put("opened_count", this.counts.opened());
		data.put("clicked_count", this.counts.clicked());
		data.put("created_at", this.createdAt);
		data.put("updated_at", this.updatedAt);
		if (this.pausedReason != null) {
			data.put("paused_reason", this.pausedReason);
		}
		return new Event(this.accountId, kind, null, data);
	}

	/** The part of a campaign that lists show. */
	public record Listed(UUID id, UUID accountId, String name, CampaignStatus status, String fromEmail, String subject,
			String contactBookName, @Nullable Instant sendAt, @Nullable Instant startedAt, @Nullable Integer pace,
			long totalContacts, Counts counts, @Nullable Warmup warmup, Instant createdAt,
			Instant updatedAt) implements Page.Item {

		public long sentCount() {
			return this.counts.sent();
		}

		public long deliveredCount() {
			return this.counts.delivered();
		}

		public long openedCount() {
			return this.counts.opened();
		}

		public long clickedCount() {
			return this.counts.clicked();
		}

		public long bouncedCount() {
			return this.counts.bounced();
		}

		public long failedCount() {
			return this.counts.failed();
		}

		public long skippedCount() {
			return this.counts.skipped();
		}

	}

	/**
	 * Contacts of a book that a campaign would reach.
	 *
	 * @param contacts number of contacts in the book
	 * @param subscribed number of those that are subscribed
	 * @param recipients number of subscribed contacts that satisfy the filter
	 * @param suppressed number of recipients that are on the suppression list and would
	 * be skipped
	 * @param estimated whether the numbers of subscribed contacts and recipients come
	 * from a sample, because the book is large
	 * @param samples frequent values by the names of the properties of the newest
	 * thousand contacts, of at most a hundred
	 */
	public record Audience(long contacts, long subscribed, long recipients, long suppressed, boolean estimated,
			Map<String, List<String>> samples) {

		/** Names of the properties, sorted. */
		public List<String> properties() {
			return this.samples.keySet().stream().sorted().toList();
		}

	}

	/**
	 * Results in numbers of mails.
	 *
	 * @param sent mails handed over with a final reply
	 * @param delivered mails accepted by the recipient's server that did not bounce later
	 * @param failed mails that could not be sent
	 * @param opened mails that were opened
	 * @param clicked mails with a click
	 * @param unsubscribed contacts that unsubscribed by the link in the mail
	 * @param skipped contacts that were unsubscribed or suppressed
	 */
	public record Counts(long sent, long delivered, long bounced, long complained, long failed, long opened,
			long clicked, long unsubscribed, long skipped) {

		/** The results before the start. */
		public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0);

	}

	/**
	 * The fields of a campaign as a request gives them, not validated.
	 *
	 * @param filter condition on the contacts; null for all
	 * @param pace mails per minute; null without a limit
	 */
	public record Form(@Nullable String name, @Nullable String from, @Nullable List<@Nullable String> replyTo,
			@Nullable String subject, @Nullable UUID contactBookId, @Nullable UUID templateId,
			@Nullable String htmlContent, @Nullable String textContent, @Nullable String sendAt,
			@Nullable Map<String, Object> filter, @Nullable Integer pace) {

		/** A form without filter and pace. */
		public Form(@Nullable String name, @Nullable String from, @Nullable List<@Nullable String> replyTo,
				@Nullable String subject, @Nullable UUID contactBookId, @Nullable UUID templateId,
				@Nullable String htmlContent, @Nullable String textContent, @Nullable String sendAt) {
			this(name, from, replyTo, subject, contactBookId, templateId, htmlContent, textContent, sendAt, null, null);
		}

		/** This form with the fields of the other that may change after a start. */
		Form withNameAndTimeOf(Form other) {
			return new Form(other.name, this.from, this.replyTo, this.subject, this.contactBookId, this.templateId,
					this.htmlContent, this.textContent, other.sendAt, this.filter, other.pace);
		}

	}

	/**
	 * Selects the campaigns of a list.
	 *
	 * @param status null for all
	 * @param search part of the name or the subject, matched literally and regardless of
	 * case; null for all
	 */
	public record Filter(@Nullable CampaignStatus status, @Nullable String search) {

		/** A blank search becomes null; NUL, which PostgreSQL rejects, is replaced. */
		public static Filter of(@Nullable CampaignStatus status, @Nullable String search) {
			return new Filter(status, (search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD'));
		}

	}

}
