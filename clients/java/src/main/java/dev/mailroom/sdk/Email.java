package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An email.
 */
public final class Email extends Fields {

	/**
	 * Sets the field <code>from</code>: <code>address</code> or
	 * <code>Name &lt;address&gt;</code> in the API key's domain.
	 */
	public Email from(String from) {
		set("from", from);
		return this;
	}

	/**
	 * Sets the field <code>to</code>: At most 50 recipients together with cc and bcc.
	 */
	public Email to(String... to) {
		set("to", to);
		return this;
	}

	/**
	 * Sets the field <code>to</code>: At most 50 recipients together with cc and bcc.
	 */
	public Email to(List<String> to) {
		set("to", to);
		return this;
	}

	/**
	 * Sets the field <code>cc</code>.
	 */
	public Email cc(String... cc) {
		set("cc", cc);
		return this;
	}

	/**
	 * Sets the field <code>cc</code>.
	 */
	public Email cc(List<String> cc) {
		set("cc", cc);
		return this;
	}

	/**
	 * Sets the field <code>bcc</code>.
	 */
	public Email bcc(String... bcc) {
		set("bcc", bcc);
		return this;
	}

	/**
	 * Sets the field <code>bcc</code>.
	 */
	public Email bcc(List<String> bcc) {
		set("bcc", bcc);
		return this;
	}

	/**
	 * Sets the field <code>reply_to</code>.
	 */
	public Email replyTo(String... replyTo) {
		set("reply_to", replyTo);
		return this;
	}

	/**
	 * Sets the field <code>reply_to</code>.
	 */
	public Email replyTo(List<String> replyTo) {
		set("reply_to", replyTo);
		return this;
	}

	/**
	 * Sets the field <code>subject</code>.
	 */
	public Email subject(String subject) {
		set("subject", subject);
		return this;
	}

	/**
	 * Sets the field <code>html</code>.
	 */
	public Email html(String html) {
		set("html", html);
		return this;
	}

	/**
	 * Sets the field <code>text</code>.
	 */
	public Email text(String text) {
		set("text", text);
		return this;
	}

	/**
	 * Sets the field <code>template_id</code>: A template that replaces html and text.
	 * Its subject is used if no subject is given.
	 */
	public Email templateId(String templateId) {
		set("template_id", templateId);
		return this;
	}

	/**
	 * Sets the field <code>variables</code>: Values for the placeholders of the template.
	 */
	public Email variables(Map<String, ? extends @Nullable Object> variables) {
		set("variables", variables);
		return this;
	}

	/**
	 * Sets the field <code>attachments</code>: At most 10 MB in total, decoded.
	 */
	public Email attachments(List<Attachment> attachments) {
		set("attachments", attachments);
		return this;
	}

	/**
	 * Sets the field <code>tags</code>: Custom data, repeated in the events of the mail.
	 * Also accepted as a list of <code>{name, value}</code>.
	 */
	public Email tags(Map<String, ? extends @Nullable Object> tags) {
		set("tags", tags);
		return this;
	}

	/**
	 * Sets the field <code>headers</code>: Additional headers. Headers that Mailroom sets
	 * itself are refused.
	 */
	public Email headers(Map<String, ? extends @Nullable Object> headers) {
		set("headers", headers);
		return this;
	}

	/**
	 * Sets the field <code>send_at</code>: In the future, at most 30 days from now. Also
	 * accepted as <code>scheduled_at</code>.
	 */
	public Email sendAt(Instant sendAt) {
		set("send_at", sendAt);
		return this;
	}

	/**
	 * Sets the field <code>open_tracking</code>: Defaults to the domain's setting.
	 */
	public Email openTracking(boolean openTracking) {
		set("open_tracking", openTracking);
		return this;
	}

	/**
	 * Sets the field <code>click_tracking</code>: Defaults to the domain's setting.
	 */
	public Email clickTracking(boolean clickTracking) {
		set("click_tracking", clickTracking);
		return this;
	}

}
