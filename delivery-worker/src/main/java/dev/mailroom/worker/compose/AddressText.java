package dev.mailroom.worker.compose;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.accept.Mailbox;

/**
 * Addresses as a header shows them (RFC 5322 3.4). The library would show a name that
 * looks like an encoded word as what that stands for, and an address that is not ASCII in
 * bytes that nobody can read.
 */
final class AddressText {

	/** Words that need no quotes (RFC 5322 3.2.3). */
	private static final Pattern ATOMS = Pattern
		.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+( [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*");

	private static final int ON_ONE_LINE = 60;

	/** The longest name of a header that holds addresses, with what stands behind it. */
	private static final int BEFORE = "Reply-To: ".length();

	private AddressText() {
	}

	/** The header's value: an address a line. */
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
		String gap = (name.length() + address.length() > ON_ONE_LINE) ? "\r\n " : " ";
		return name + gap + "<" + address + ">";
	}

	static Mailbox mailbox(String text) {
		return Mailbox.parse(text).orElseThrow(() -> new Unrenderable("No address: " + text));
	}

	private static String phrase(String name) {
		if (!HeaderText.isPlain(name)) {
			return HeaderText.encoded(name, BEFORE);
		}
		return ATOMS.matcher(name).matches() ? name : ParameterText.quoted(name);
	}

}
