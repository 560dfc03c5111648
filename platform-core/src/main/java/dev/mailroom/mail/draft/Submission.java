package dev.mailroom.mail.draft;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A mail to be sent, before any check: the same for every protocol.
 *
 * @param from address, or Name &lt;address&gt;; null if none was given
 * @param content the mail's own content; a template fills in its subject and body
 * @param template the template to use; null if the mail has its own body
 * @param sendAt the time at which to send it, ISO 8601 with an offset; null if at once
 * @param contactId the contact that is its only recipient; null if there is none
 */
public record Submission(@Nullable String from, List<@Nullable String> to, List<@Nullable String> cc,
		List<@Nullable String> bcc, List<@Nullable String> replyTo, MailContent content,
		@Nullable TemplateReference template, @Nullable String sendAt,
		@Nullable UUID contactId) implements UncheckedMail {

	/** A mail to be sent at once, without a template. */
	public static Submission of(@Nullable String from, List<@Nullable String> to, MailContent content) {
		return new Submission(from, to, List.of(), List.of(), List.of(), content, null, null, null);
	}

	/** The same mail from another sender. */
	public Submission withFrom(String from) {
		return new Submission(from, this.to, this.cc, this.bcc, this.replyTo, this.content, this.template, this.sendAt,
				this.contactId);
	}

	/** The same mail with other addresses for replies. */
	public Submission withReplyTo(List<@Nullable String> replyTo) {
		return new Submission(this.from, this.to, this.cc, this.bcc, replyTo, this.content, this.template, this.sendAt,
				this.contactId);
	}

	/** The same mail, sent to a contact of a contact book. */
	public Submission withContact(@Nullable UUID contactId) {
		return new Submission(this.from, this.to, this.cc, this.bcc, this.replyTo, this.content, this.template,
				this.sendAt, contactId);
	}

	public Submission withContent(MailContent content) {
		return new Submission(this.from, this.to, this.cc, this.bcc, this.replyTo, content, this.template, this.sendAt,
				this.contactId);
	}

	/**
	 * A template to fill in.
	 *
	 * @param id the template's id as text
	 * @param variables values by name; null if none were given
	 */
	public record TemplateReference(String id, @Nullable Map<String, @Nullable Object> variables) {

		/** The id; empty if the text is no UUID in its canonical form. */
		public Optional<UUID> uuid() {
			try {
				return Optional.of(UUID.fromString(this.id))
					.filter((uuid) -> uuid.toString().equalsIgnoreCase(this.id));
			}
			catch (IllegalArgumentException _) {
				return Optional.empty();
			}
		}

	}

}
