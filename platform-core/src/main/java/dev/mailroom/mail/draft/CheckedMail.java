package dev.mailroom.mail.draft;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.FieldErrors;
import org.jspecify.annotations.Nullable;

/**
 * A mail that passed every check that needs no database.
 *
 * @param sendAt the time at which to send it; null if at once
 * @param contactId the contact that is its only recipient, and whose consent is checked
 * again before delivery; null if there is none
 * @param forward set if it forwards a received mail; null for other mail
 */
public record CheckedMail(Mailbox from, List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc, List<Mailbox> replyTo,
		MailContent content, @Nullable Instant sendAt, @Nullable UUID contactId, @Nullable Forward forward) {

	private static final Duration MAX_DELAY = Duration.ofDays(30);

	/**
	 * Reads the time at which a mail is to be sent.
	 * @param errors receives the fault, if there is one
	 * @return null if none was given, or it cannot be read
	 */
	public static @Nullable Instant readSendAt(@Nullable String text, Instant now, FieldErrors errors) {
		if (text == null) {
			return null;
		}
		try {
			Instant at = OffsetDateTime.parse(text).toInstant();
			if (!at.isAfter(now)) {
				errors.add("send_at", "must be in the future");
			}
			else if (at.isAfter(now.plus(MAX_DELAY))) {
				errors.add("send_at", "must be within " + MAX_DELAY.toDays() + " days");
			}
			return at;
		}
		catch (DateTimeException _) {
			errors.add("send_at", "must be an ISO 8601 date and time with an offset, such as 2030-01-31T09:00:00Z");
			return null;
		}
	}

	/**
	 * Addresses of the envelope: to first, then cc, then bcc. Of several spellings of one
	 * mailbox, only the first.
	 */
	public List<String> recipients() {
		Map<String, String> addresses = new LinkedHashMap<>();
		Stream.of(this.to, this.cc, this.bcc)
			.flatMap(List::stream)
			.map(Mailbox::address)
			.forEach((address) -> addresses.putIfAbsent(address.key(), address.toString()));
		return List.copyOf(addresses.values());
	}

	/** Whether its sender is an address of the domain. */
	public boolean isFrom(@Nullable String domain) {
		return this.from.address().domain().equals(domain);
	}

	/** The same mail with other content. */
	public CheckedMail with(MailContent content) {
		return new CheckedMail(this.from, this.to, this.cc, this.bcc, this.replyTo, content, this.sendAt,
				this.contactId, this.forward);
	}

}
