package dev.mailroom.upkeep;

import java.util.List;

import dev.mailroom.brand.Letter;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Forwards mail to the platform's mailboxes, such as postmaster, to the operator. */
@Service
public class PostmasterNotices {

	private static final int MAX_SUBJECT_LENGTH = 200;

	private static final int MAX_TEXT_LENGTH = 20_000;

	private static final String TEXT = "%s wrote to %s. The mail is stored in the platform's account; this is its text.";

	private final PlatformMail mail;

	PostmasterNotices(PlatformMail mail) {
		this.mail = mail;
	}

	/**
	 * Forwards the text of a mail, once for each digest.
	 * @param operator the address of the operator
	 * @param digest hash of the whole mail, in hex
	 */
	public Mono<Void> forward(String operator, Received received, String digest) {
		String subject = truncated("To the postmaster: " + received.subject().replaceAll("\\p{Cntrl}+", " "),
				MAX_SUBJECT_LENGTH);
		return this.mail.sendOnce("postmaster " + digest, operator,
				Letter.of(subject, TEXT.formatted(received.sender(), String.join(", ", received.mailboxes())),
						truncated(received.text(), MAX_TEXT_LENGTH)));
	}

	/**
	 * Notifies the operator that further mail is stored only, once for each digest.
	 * @param digest hash of the first mail that is not forwarded, in hex
	 */
	public Mono<Void> limitReached(String operator, String digest) {
		return this.mail.sendOnce("postmaster limit " + digest, operator,
				Letter.of("Much mail to the postmaster",
						"More mail to the platform's mailboxes arrived within an hour than is forwarded. "
								+ "Further mail of this hour is stored in the platform's account."));
	}

	private static String truncated(String text, int maxLength) {
		return (text.length() > maxLength) ? text.substring(0, maxLength) : text;
	}

	/**
	 * Mail that was received for the platform.
	 *
	 * @param sender the sender of the envelope
	 * @param mailboxes the platform's mailboxes among its recipients
	 * @param text its text, or its HTML if it has none
	 */
	public record Received(String sender, List<String> mailboxes, String subject, String text) {
	}

}
