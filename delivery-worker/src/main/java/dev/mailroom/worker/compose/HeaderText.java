package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import jakarta.mail.internet.MimeUtility;

/**
 * Free text as a header carries it: as it is where that is read as it was meant, else in
 * encoded words (RFC 2047). The library does the rest, but lets pass what looks like an
 * encoded word, and words too long for a line.
 */
final class HeaderText {

	/** A line with a word of this length still fits (RFC 5322 2.1.1). */
	private static final int LONGEST_WORD = 200;

	/**
	 * So many bytes in base64, with what stands around them, are within the 75 of an
	 * encoded word.
	 */
	private static final int BYTES = 45;

	private HeaderText() {
	}

	/** The header's value, folded. */
	static String of(String name, String text) {
		return isPlain(text) ? MimeUtility.fold(name.length() + 2, text) : encoded(text);
	}

	private static boolean isPlain(String text) {
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

	private static String encoded(String text) {
		StringBuilder words = new StringBuilder();
		StringBuilder word = new StringBuilder();
		int bytes = 0;
		for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
			String character = Character.toString(text.codePointAt(i));
			int length = character.getBytes(StandardCharsets.UTF_8).length;
			if (bytes + length > BYTES) {
				append(words, word);
				bytes = 0;
			}
			word.append(character);
			bytes += length;
		}
		append(words, word);
		return words.toString();
	}

	private static void append(StringBuilder words, StringBuilder word) {
		if (!words.isEmpty()) {
			words.append("\r\n ");
		}
		byte[] bytes = word.toString().getBytes(StandardCharsets.UTF_8);
		words.append("=?UTF-8?B?").append(Base64.getEncoder().encodeToString(bytes)).append("?=");
		word.setLength(0);
	}

}
