package dev.mailroom.mail.draft;

import java.util.Optional;

import dev.mailroom.EmailAddress;

/**
 * A mailbox as a header names it: a display name and an address (RFC 5322 3.4).
 *
 * @param name empty if there is none
 */
public record Mailbox(String name, EmailAddress address) {

	/**
	 * Reads {@code address} or {@code Name <address>}; empty if the text is neither. A
	 * list of mailboxes is refused.
	 */
	public static Optional<Mailbox> parse(String text) {
		String trimmed = text.strip();
		if (text.chars().anyMatch(EmailAddress::breaksALine)) {
			return Optional.empty();
		}
		int open = trimmed.lastIndexOf('<');
		if (open < 0 || !trimmed.endsWith(">")) {
			return EmailAddress.parse(trimmed).map((address) -> new Mailbox("", address));
		}
		String name = unquoted(trimmed.substring(0, open).strip()).strip();
		return EmailAddress.parse(trimmed.substring(open + 1, trimmed.length() - 1))
			.filter((_) -> isName(name))
			.map((address) -> new Mailbox(name, address));
	}

	/** Rejects angle brackets in a name: they could hide a second address. */
	private static boolean isName(String name) {
		return name.chars().noneMatch((character) -> character == '<' || character == '>');
	}

	private static String unquoted(String name) {
		return isQuoted(name) ? name.substring(1, name.length() - 1).replaceAll("\\\\(.)", "$1") : name;
	}

	private static boolean isQuoted(String name) {
		return name.length() >= 2 && name.startsWith("\"") && name.endsWith("\"");
	}

	/**
	 * The text that {@link #parse} reads as this mailbox. A name is quoted only if it
	 * would be read without its own quotes otherwise.
	 */
	@Override
	public String toString() {
		if (this.name.isEmpty()) {
			return this.address.toString();
		}
		String phrase = isQuoted(this.name) ? '"' + this.name.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
				: this.name;
		return phrase + " <" + this.address + ">";
	}

}
