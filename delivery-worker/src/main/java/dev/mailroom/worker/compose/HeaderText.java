package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import dev.mailroom.EmailAddress;
import jakarta.mail.internet.MimeUtility;

/**
 * What stands in a header. Free text that would not be read as it was meant goes in
 * encoded words (RFC 2047); the library lets pass what only looks like one, and words too
 * long for a line. Values that a program reads, such as addresses and links, are never
 * encoded, for it would not decode them.
 */
final class HeaderText {

	/** The longest line that mail may carry, without its end (RFC 5322 2.1.1). */
	static final int LONGEST_LINE = 998;

	/** A line with a word of this length still fits. */
	private static final int LONGEST_WORD = 200;

	/**
	 * So many bytes in base64, with what stands around them, are within the 75 of an
	 * encoded word.
	 */
	private static final int BYTES = 45;

	/** The longest line that may hold an encoded word (RFC 2047 2). */
	private static final int LONGEST_ENCODED_LINE = 76;

	private static final int AROUND_A_WORD = "=?UTF-8?B?".length() + "?=".length();

	private static final String FOLD = "\r\n ";

	private static final Pattern NAME = Pattern.compile("[!-9;-~]{1,76}");

	/** Those that carry the mail itself, and those that others put there on its way. */
	private static final Pattern OURS = Pattern.compile("from|sender|to|cc|bcc|reply-to|subject|date|message-id"
			+ "|return-path|received.*|mime-version|content-.*|resent-.*|dkim-signature|arc-.*|authentication-results");

	private static final Set<String> FREE = Set.of("subject", "comments", "keywords", "organization", "thread-topic");

	private HeaderText() {
	}

	/**
	 * A further header's name, looked at once more: it could end the line, or the head.
	 */
	static String name(String name) {
		if (!NAME.matcher(name).matches() || OURS.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
			throw new Unrenderable("A header of that name cannot be written");
		}
		return name;
	}

	/** The header's value, folded. */
	static String of(String name, String value) {
		String text = oneLine(name, value);
		String lower = name.toLowerCase(Locale.ROOT);
		boolean free = lower.startsWith("x-") || FREE.contains(lower);
		if (free && !isPlain(text)) {
			return encoded(text, name.length() + 2);
		}
		String folded = MimeUtility.fold(name.length() + 2, text.strip());
		for (String line : folded.split("\r\n", -1)) {
			if (line.getBytes(StandardCharsets.UTF_8).length > LONGEST_LINE - name.length() - 2) {
				throw new Unrenderable("The " + name + " has a word longer than a line");
			}
		}
		return folded;
	}

	/** Text that does not end its line. */
	static String oneLine(String what, String text) {
		if (text.chars().anyMatch(EmailAddress::breaksALine)) {
			throw new Unrenderable("The " + what + " is more than a line");
		}
		return text;
	}

	/** Whether text is read as it was meant where it stands unencoded. */
	static boolean isPlain(String text) {
		boolean ascii = text.chars().allMatch((character) -> character >= 0x20 && character < 0x7f);
		if (!ascii || text.contains("=?") || text.startsWith(" ") || text.endsWith(" ")) {
			return false;
		}
		for (String word : text.split(" ", -1)) {
			if (word.length() > LONGEST_WORD) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Encoded words, one a line.
	 * @param used how much of the first line is taken already
	 */
	static String encoded(String text, int used) {
		StringBuilder words = new StringBuilder();
		StringBuilder word = new StringBuilder();
		int most = Math.min(BYTES, (LONGEST_ENCODED_LINE - AROUND_A_WORD - used) / 4 * 3);
		if (most < BYTES / 3) {
			words.append(FOLD);
			most = BYTES;
		}
		int bytes = 0;
		for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
			String character = Character.toString(text.codePointAt(i));
			int length = character.getBytes(StandardCharsets.UTF_8).length;
			if (bytes + length > most) {
				append(words, word);
				words.append(FOLD);
				bytes = 0;
				most = BYTES;
			}
			word.append(character);
			bytes += length;
		}
		append(words, word);
		return words.toString();
	}

	private static void append(StringBuilder words, StringBuilder word) {
		byte[] bytes = word.toString().getBytes(StandardCharsets.UTF_8);
		words.append("=?UTF-8?B?").append(Base64.getEncoder().encodeToString(bytes)).append("?=");
		word.setLength(0);
	}

}
