package dev.mailroom;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;

import com.sanctionco.jmail.Email;
import com.sanctionco.jmail.EmailValidator;
import com.sanctionco.jmail.JMail;

/**
 * An address as SMTP's envelope takes it (RFC 5321 4.1.2, RFC 6531): no comment, no
 * source route, no address literal, no control character. The local part keeps its case;
 * the domain is lower-case and in its ASCII form (RFC 5891).
 *
 * @param local what stands before the last at sign
 * @param domain what stands behind it
 */
public record EmailAddress(String local, String domain) {

	private static final EmailValidator GRAMMAR = JMail.strictValidator()
		.disallowIpDomain()
		.disallowExplicitSourceRouting()
		.disallowObsoleteWhitespace()
		.requireTopLevelDomain()
		.withRule((email) -> email.comments().isEmpty() && !email.hasIdentifier());

	/** The longest a path may be, without its brackets (RFC 5321 4.5.3.1.3). */
	private static final int LONGEST = 254;

	/** Reads a bare address; empty where the text is none. */
	public static Optional<EmailAddress> parse(String text) {
		if (text.length() > LONGEST || text.chars().anyMatch(EmailAddress::breaksALine)) {
			return Optional.empty();
		}
		return GRAMMAR.tryParse(text).flatMap(EmailAddress::of);
	}

	private static Optional<EmailAddress> of(Email email) {
		try {
			String ascii = IDN.toASCII(email.domain(), IDN.USE_STD3_ASCII_RULES).toLowerCase(Locale.ROOT);
			return Optional.of(new EmailAddress(email.localPart(), ascii));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

	/**
	 * Whether a character could end a header's line: controls, and Unicode's own
	 * separators.
	 */
	public static boolean breaksALine(int character) {
		return Character.isISOControl(character) || character == '\u2028' || character == '\u2029';
	}

	/** The form under which two spellings of one mailbox are the same. */
	public String key() {
		return toString().toLowerCase(Locale.ROOT);
	}

	@Override
	public String toString() {
		return this.local + "@" + this.domain;
	}
}
