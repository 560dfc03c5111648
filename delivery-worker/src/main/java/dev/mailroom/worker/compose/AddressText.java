package dev.mailroom.worker.compose;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.mail.draft.Mailbox;

/**
 * Addresses in a header field (RFC 5322 section 3.4). The mail library is not used,
 * because it leaves names that look like encoded words unencoded and encodes addresses
 * that are not ASCII.
 */
final class AddressText {

	/** Words that need no quotes (RFC 5322 section 3.2.3). */
	private static final Pattern ATOMS = Pattern
		.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+( [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*");

	private static final int MAX_LINE_LENGTH = 60;

	/** Length of the longest name of an address field, with its separator. */
	private static final int MAX_FIELD_NAME_LENGTH = "Reply-To: ".length();

	private AddressText() {
	}

	/** Value of an address field, one address per line. */
	static String of(List<String> mailboxes) {
		return mailboxes.stream().map(AddressText::of).collect(Collectors.joining(",\r\n "));
	}

	static String of(String text) {
		Mailbox mailbox = mailbox(text);
		String address = mailbox.address().toString();
		if (mailbox.name().isEmpty()) {
			return address;
		}
		String name = phrase(mailbox.name());
		String gap = (name.length() + address.length() > MAX_LINE_LENGTH) ? "\r\n " : " ";
		return name + gap + "<" + address + ">";
	}

	static Mailbox mailbox(String text) {
		return Mailbox.parse(text).orElseThrow(() -> new Unrenderable("An address of the mail is invalid"));
	}

	private static String phrase(String name) {
		if (!HeaderText.isPlain(name)) {
			return HeaderText.encoded(name, MAX_FIELD_NAME_LENGTH);
		}
		return ATOMS.matcher(name).matches() ? name : ParameterText.quoted(name);
	}

}
