package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A new campaign.
 */
public final class NewCampaign extends Fields {

	/**
	 * Sets the field <code>name</code>.
	 */
	public NewCampaign name(String name) {
		set("name", name);
		return this;
	}

	/**
	 * Sets the field <code>from</code>: <code>address</code> or
	 * <code>Name &lt;address&gt;</code> in a verified domain.
	 */
	public NewCampaign from(String from) {
		set("from", from);
		return this;
	}

	/**
	 * Sets the field <code>reply_to</code>.
	 */
	public NewCampaign replyTo(String... replyTo) {
		set("reply_to", replyTo);
		return this;
	}

	/**
	 * Sets the field <code>reply_to</code>.
	 */
	public NewCampaign replyTo(List<String> replyTo) {
		set("reply_to", replyTo);
		return this;
	}

	/**
	 * Sets the field <code>subject</code>: May contain placeholders, as in a template.
	 */
	public NewCampaign subject(String subject) {
		set("subject", subject);
		return this;
	}

	/**
	 * Sets the field <code>contact_book_id</code>: The recipients.
	 */
	public NewCampaign contactBookId(String contactBookId) {
		set("contact_book_id", contactBookId);
		return this;
	}

	/**
	 * Sets the field <code>template_id</code>: A template that replaces
	 * <code>html_content</code> and <code>text_content</code>. Its changes apply until
	 * the campaign starts.
	 */
	public NewCampaign templateId(@Nullable String templateId) {
		set("template_id", templateId);
		return this;
	}

	/**
	 * Sets the field <code>html_content</code>.
	 */
	public NewCampaign htmlContent(@Nullable String htmlContent) {
		set("html_content", htmlContent);
		return this;
	}

	/**
	 * Sets the field <code>text_content</code>.
	 */
	public NewCampaign textContent(@Nullable String textContent) {
		set("text_content", textContent);
		return this;
	}

	/**
	 * Sets the field <code>send_at</code>: Time of the start, with an offset, within 30
	 * days.
	 */
	public NewCampaign sendAt(@Nullable Instant sendAt) {
		set("send_at", sendAt);
		return this;
	}

	/**
	 * Sets the field <code>filter</code>: Condition on the contacts:
	 * <code>{"property": "city", "equals": "Graz"}</code>,
	 * <code>{"created_at": {"after": "2026-01-01T00:00:00Z", "before": "2026-07-01T00:00:00Z"}}</code>,
	 * or <code>any</code> or <code>all</code> with a list of conditions; null for all
	 * contacts of the book. In place of <code>equals</code> a property may have
	 * <code>is_not</code>, <code>contains</code>, <code>starts_with</code>,
	 * <code>before</code> or <code>after</code> (with a date), or <code>exists</code>
	 * (true or false). For books of at most 50 000 contacts,
	 * <code>{"clicked": {"within_days": 30}}</code> selects those that clicked a link of
	 * one of the ten newest campaigns of that time,
	 * <code>{"clicked": {"campaign_id": "…"}}</code> those of one campaign, and
	 * <code>not_clicked</code> the others; <code>opened</code> and
	 * <code>not_opened</code> select in the same way by opens of people.
	 */
	public NewCampaign filter(@Nullable Map<String, ? extends @Nullable Object> filter) {
		set("filter", filter);
		return this;
	}

	/**
	 * Sets the field <code>pace</code>: Maximum number of mails per minute; null without
	 * a limit.
	 */
	public NewCampaign pace(@Nullable Long pace) {
		set("pace", pace);
		return this;
	}

}
