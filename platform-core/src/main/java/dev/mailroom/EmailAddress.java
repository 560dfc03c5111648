package dev.mailroom;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;

import com.sanctionco.jmail.Email;
import com.sanctionco.jmail.EmailValidator;
import com.sanctionco.jmail.JMail;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox address of an SMTP envelope (RFC 5321 4.1.2, RFC 6531) without comments,
 * source routes, address literals and control characters. The local part keeps its case;
 * the domain is lower-case and in ASCII form (RFC 5891).
 *
 * @param local the part before the last at sign
 * @param domain the part after it
 */
public record EmailAddress(String local, String domain) {

	private static final EmailValidator GRAMMAR = JMail.strictValidator()
		.disallowIpDomain()
		.disallowExplicitSourceRouting()
		.disallowObsoleteWhitespace()
		.requireTopLevelDomain()
		.withRule((email) -> email.comments().isEmpty() && !email.hasIdentifier());

	/** Maximum length of a path without its angle brackets (RFC 5321 4.5.3.1.3). */
	private static final int MAX_LENGTH = 254;

	private static final int MAX_ASCII = 127;

	/**
	 * Parses an address without a display name; empty if the text is no valid address.
	 */
	public static Optional<EmailAddress> parse(String text) {
		if (text.length() > MAX_LENGTH || text.chars().anyMatch(EmailAddress::breaksALine) || hasSpaceAfterAt(text)) {
			return Optional.empty();
		}
		return GRAMMAR.tryParse(text).flatMap(EmailAddress::of);
	}

	/**
	 * Whether white space or a comment follows the domain, for which JMail throws an
	 * exception if a hyphen precedes it.
	 */
	private static boolean hasSpaceAfterAt(String text) {
		return text.chars()
			.skip(text.lastIndexOf('@') + 1L)
			.anyMatch((character) -> Character.isWhitespace(character) || character == '(' || character == ')');
	}

	private static Optional<EmailAddress> of(Email email) {
		return AsciiDomain.of(email.domain())
			.map((ascii) -> new EmailAddress(email.localPart(), ascii))
			.filter((address) -> address.domain().equalsIgnoreCase(email.domain()) || address.isValid());
	}

	/** The ASCII form of a domain can be too long, or end with a dot. */
	private boolean isValid() {
		String text = toString();
		return text.length() <= MAX_LENGTH && GRAMMAR.tryParse(text).isPresent();
	}

	/**
	 * Whether a character could end a line of a header: control characters and the line
	 * and paragraph separators of Unicode.
	 */
	public static boolean breaksALine(int character) {
		return Character.isISOControl(character) || character == '\u2028' || character == '\u2029';
	}

	/** The address in lower case, by which spellings of one mailbox are compared. */
	public String key() {
		return key(toString());
	}

	/** The key of an address that was parsed before. */
	public static String key(String address) {
		return address.toLowerCase(Locale.ROOT);
	}

	/**
	 * The key of an address that was parsed before, if the database may convert the
	 * address in another way; else null. How it converts letters beyond ASCII depends on
	 * its locale.
	 */
	public static @Nullable String keyBeyondAscii(String address) {
		return address.chars().allMatch((character) -> character <= MAX_ASCII) ? null : key(address);
	}

	@Override
	public String toString() {
		return this.local + "@" + this.domain;
	}

	/** Domain names in ASCII (RFC 5890) and lower case. */
	public static final class AsciiDomain {

		/**
		 * Limit on a name that is converted, in characters. The JDK throws an
		 * undocumented exception for names of more than 1000.
		 */
		private static final int MAX_LENGTH = 254;

		private AsciiDomain() {
		}

		/**
		 * Converts a name of letters, digits and hyphens (RFC 1123); empty if it has
		 * none.
		 */
		public static Optional<String> of(String name) {
			return converted(name, IDN.USE_STD3_ASCII_RULES);
		}

		/**
		 * Converts a name that may have other ASCII characters; empty if it is invalid.
		 */
		public static Optional<String> ofAny(String name) {
			return converted(name, 0);
		}

		private static Optional<String> converted(String name, int flags) {
			try {
				return (name.length() > MAX_LENGTH) ? Optional.empty()
						: Optional.of(IDN.toASCII(name, flags).toLowerCase(Locale.ROOT));
			}
			catch (IllegalArgumentException _) {
				return Optional.empty();
			}
		}

	}

}
