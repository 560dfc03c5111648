package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import dev.mailroom.EmailAddress;
import jakarta.mail.internet.MimeUtility;

/**
 * Values of header fields. Free text is written as encoded words (RFC 2047) if necessary;
 * the mail library's encoding is not used, because it leaves text that looks like an
 * encoded word and words longer than a line. Structured values, such as addresses and
 * links, are never encoded.
 */
final class HeaderText {

	/** Maximum line length without CRLF (RFC 5322 section 2.1.1). */
	static final int MAX_LINE_LENGTH = 998;

	/** Maximum length of a word that is not encoded. */
	private static final int MAX_WORD_LENGTH = 200;

	/** Bytes per encoded word: in base64 they are within its limit of 75 characters. */
	private static final int BYTES_PER_WORD = 45;

	/** Maximum length of a line with an encoded word (RFC 2047 section 2). */
	private static final int MAX_ENCODED_LINE_LENGTH = 76;

	private static final int WORD_OVERHEAD = "=?UTF-8?B?".length() + "?=".length();

	private static final String FOLD = "\r\n ";

	private static final Pattern NAME = Pattern.compile("[!-9;-~]{1,76}");

	/** Fields written by this system, and trace fields added by servers. */
	private static final Pattern RESERVED = Pattern.compile("from|sender|to|cc|bcc|reply-to|subject|date|message-id"
			+ "|return-path|received.*|mime-version|content-.*|resent-.*|dkim-signature|arc-.*|authentication-results");

	private static final Set<String> UNSTRUCTURED = Set.of("subject", "comments", "keywords", "organization",
			"thread-topic");

	private HeaderText() {
	}

	/**
	 * Checks the name of an additional field again before it is written.
	 * @throws Unrenderable if it is malformed or reserved
	 */
	static String name(String name) {
		if (!NAME.matcher(name).matches() || RESERVED.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
			throw new Unrenderable("The mail has a header field with an invalid or reserved name");
		}
		return name;
	}

	/**
	 * Value of a field, folded.
	 * @throws Unrenderable if it contains a line break or a word longer than a line
	 */
	static String of(String name, String value) {
		String text = oneLine(name, value);
		String lower = name.toLowerCase(Locale.ROOT);
		boolean unstructured = lower.startsWith("x-") || UNSTRUCTURED.contains(lower);
		if (unstructured && !isPlain(text)) {
			return encoded(text, name.length() + 2);
		}
		String folded = MimeUtility.fold(name.length() + 2, text.strip());
		for (String line : folded.split("\r\n", -1)) {
			if (line.getBytes(StandardCharsets.UTF_8).length > MAX_LINE_LENGTH - name.length() - 2) {
				throw new Unrenderable("The " + name + " contains a word longer than a line");
			}
		}
		return folded;
	}

	/**
	 * Checks that a text contains no line break.
	 * @throws Unrenderable if it does
	 */
	static String oneLine(String what, String text) {
		if (text.chars().anyMatch(EmailAddress::breaksALine)) {
			throw new Unrenderable("The " + what + " contains a line break");
		}
		return text;
	}

	/** Whether a text has the same meaning without encoding. */
	static boolean isPlain(String text) {
		boolean ascii = text.chars().allMatch((character) -> character >= 0x20 && character < 0x7f);
		if (!ascii || text.contains("=?") || text.startsWith(" ") || text.endsWith(" ")) {
			return false;
		}
		for (String word : text.split(" ", -1)) {
			if (word.length() > MAX_WORD_LENGTH) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Encoded words, one per line.
	 * @param used length of the first line that is already used
	 */
	static String encoded(String text, int used) {
		StringBuilder words = new StringBuilder();
		StringBuilder word = new StringBuilder();
		int maxBytes = Math.min(BYTES_PER_WORD, (MAX_ENCODED_LINE_LENGTH - WORD_OVERHEAD - used) / 4 * 3);
		if (maxBytes < BYTES_PER_WORD / 3) {
			words.append(FOLD);
			maxBytes = BYTES_PER_WORD;
		}
		int bytes = 0;
		for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
			String character = Character.toString(text.codePointAt(i));
			int length = character.getBytes(StandardCharsets.UTF_8).length;
			if (bytes + length > maxBytes) {
				append(words, word);
				words.append(FOLD);
				bytes = 0;
				maxBytes = BYTES_PER_WORD;
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
