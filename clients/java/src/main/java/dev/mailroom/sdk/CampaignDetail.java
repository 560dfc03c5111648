package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A campaign detail.
 *
 * @param startedAt Time of the first start.
 * @param totalContacts Number of recipients; before the first start, number of contacts
 * in the book.
 * @param pausedReason Reason for which the system paused the campaign; null if its owner
 * did.
 * @param filter Condition on the contacts:
 * <code>{"property": "city", "equals": "Graz"}</code>,
 * <code>{"created_at": {"after": "2026-01-01T00:00:00Z", "before": "2026-07-01T00:00:00Z"}}</code>,
 * or <code>any</code> or <code>all</code> with a list of conditions; null for all
 * contacts of the book. In place of <code>equals</code> a property may have
 * <code>is_not</code>, <code>contains</code>, <code>starts_with</code>,
 * <code>before</code> or <code>after</code> (with a date), or <code>exists</code> (true
 * or false). For books of at most 50 000 contacts,
 * <code>{"clicked": {"within_days": 30}}</code> selects those that clicked a link of one
 * of the ten newest campaigns of that time,
 * <code>{"clicked": {"campaign_id": "…"}}</code> those of one campaign, and
 * <code>not_clicked</code> the others; <code>opened</code> and <code>not_opened</code>
 * select in the same way by opens of people.
 * @param pace Maximum number of mails per minute; null without a limit.
 * @param bouncedCount Mails refused permanently.
 * @param complainedCount Mails reported as spam.
 * @param unsubscribedCount Contacts that unsubscribed by the link in the mail.
 * @param failedCount Mails that could not be sent.
 * @param skippedCount Contacts that were unsubscribed or suppressed when their turn came.
 */
public record CampaignDetail(String id, String name, String status, String from, String fromEmail, List<String> replyTo,
		String subject, String contactBookId, String contactBookName, @Nullable String templateId,
		@Nullable String htmlContent, @Nullable String textContent, @Nullable Instant sendAt,
		@Nullable Instant startedAt, long totalContacts, long sentCount, long deliveredCount, long openedCount,
		long clickedCount, Instant createdAt, Instant updatedAt, @Nullable String pausedReason,
		Map<String, @Nullable Object> filter, @Nullable Long pace, long bouncedCount, long complainedCount,
		long unsubscribedCount, long failedCount, long skippedCount) {

	static CampaignDetail of(JsonObject json) {
		return new CampaignDetail(json.text("id"), json.text("name"), json.text("status"), json.text("from"),
				json.text("from_email"), json.texts("reply_to"), json.text("subject"), json.text("contact_book_id"),
				json.text("contact_book_name"), json.textOrNull("template_id"), json.textOrNull("html_content"),
				json.textOrNull("text_content"), json.timeOrNull("send_at"), json.timeOrNull("started_at"),
				json.integer("total_contacts"), json.integer("sent_count"), json.integer("delivered_count"),
				json.integer("opened_count"), json.integer("clicked_count"), json.time("created_at"),
				json.time("updated_at"), json.textOrNull("paused_reason"), json.map("filter"),
				json.integerOrNull("pace"), json.integer("bounced_count"), json.integer("complained_count"),
				json.integer("unsubscribed_count"), json.integer("failed_count"), json.integer("skipped_count"));
	}

}
