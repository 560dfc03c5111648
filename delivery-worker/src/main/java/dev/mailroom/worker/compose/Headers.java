package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.EmailAddress;
import dev.mailroom.mail.draft.Mailbox;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParseException;

/**
 * Values of header fields. Free text is written as encoded words (RFC 2047) if necessary;
 * the mail library's encoding is not used, because it leaves text that looks like an
 * encoded word and words longer than a line. Structured values, such as addresses and
 * links, are never encoded. For addresses (RFC 5322 section 3.4) the mail library is not
 * used either, because it leaves names that look like encoded words unencoded and encodes
 * addresses that are not ASCII.
 */
final class Headers {

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

	/** A link or an id in angle brackets, or the text between two of them. */
	private static final Pattern LINK_OR_PHRASE = Pattern.compile("<[^>]*>|(?:\"(?:[^\"\\\\]|\\\\.)*+\"|[^<,\"])+");

	/** Words that need no quotes (RFC 5322 section 3.2.3). */
	private static final Pattern ATOMS = Pattern
		.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+( [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*");

	private static final int MAX_ADDRESS_LINE_LENGTH = 60;

	/** Length of the longest name of an address field, with its separator. */
	private static final int MAX_FIELD_NAME_LENGTH = "Reply-To: ".length();

	/** Media type of a file whose type is unknown or not permitted. */
	static final String UNKNOWN_TYPE = "application/octet-stream";

	private static final int CONTINUATION_LENGTH = 60;

	/**
	 * Characters besides letters and digits that are not encoded (RFC 2231 section 7).
	 */
	private static final String PLAIN = "!#$&+-.^_`{|}~";

	private Headers() {
	}

	/**
	 * Checks the name of an additional field again before it is written.
	 * @throws Composer.Unrenderable if it is malformed or reserved
	 */
	static String name(String name) {
		if (!NAME.matcher(name).matches() || RESERVED.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
			throw new Composer.Unrenderable("The mail has a header field with an invalid or reserved name");
		}
		return name;
	}

	/**
	 * Value of a field, folded.
	 * @throws Composer.Unrenderable if it contains a line break or a word longer than a
	 * line
	 */
	static String value(String name, String value) {
		String text = oneLine(name, value);
		String lower = name.toLowerCase(Locale.ROOT);
		boolean unstructured = lower.startsWith("x-") || UNSTRUCTURED.contains(lower);
		if (unstructured && !isPlain(text)) {
			return encoded(text, name.length() + 2);
		}
		String folded = MimeUtility.fold(name.length() + 2, structured(text.strip()));
		for (String line : folded.split("\r\n", -1)) {
			if (line.getBytes(StandardCharsets.UTF_8).length > MAX_LINE_LENGTH - name.length() - 2) {
				throw new Composer.Unrenderable("The " + name + " contains a word longer than a line");
			}
		}
		return folded;
	}

	/**
	 * A structured value in ASCII: many servers do not accept UTF-8 in a header. Phrases
	 * become encoded words (RFC 2047 section 5), and links are percent-encoded (RFC 3987
	 * section 3.1).
	 */
	private static String structured(String text) {
		if (isAscii(text)) {
			return text;
		}
		return LINK_OR_PHRASE.matcher(text).replaceAll((part) -> Matcher.quoteReplacement(ascii(part.group())));
	}

	private static String ascii(String part) {
		if (isAscii(part)) {
			return part;
		}
		if (part.startsWith("<")) {
			return percentEncoded(part);
		}
		String words = encoded(unquoted(part.strip()), MAX_ENCODED_LINE_LENGTH).replace(FOLD, " ").strip();
		return (part.startsWith(" ") ? " " : "") + words + (part.endsWith(" ") ? " " : "");
	}

	private static boolean isAscii(String text) {
		return text.chars().allMatch((character) -> character < 0x7f);
	}

	private static String percentEncoded(String link) {
		StringBuilder text = new StringBuilder();
		for (byte octet : link.getBytes(StandardCharsets.UTF_8)) {
			text.append((octet >= 0) ? String.valueOf((char) octet) : "%%%02X".formatted(octet));
		}
		return text.toString();
	}

	private static String unquoted(String phrase) {
		return (phrase.length() > 1 && phrase.startsWith("\"") && phrase.endsWith("\""))
				? phrase.substring(1, phrase.length() - 1).replaceAll("\\\\(.)", "$1") : phrase;
	}

	/**
	 * Checks that a text contains no line break.
	 * @throws Composer.Unrenderable if it does
	 */
	static String oneLine(String what, String text) {
		if (text.chars().anyMatch(EmailAddress::breaksALine)) {
			throw new Composer.Unrenderable("The " + what + " contains a line break");
		}
		return text;
	}

	/** Whether a text has the same meaning without encoding. */
	private static boolean isPlain(String text) {
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
	private static String encoded(String text, int used) {
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

	/** Value of an address field, one address per line. */
	static String addresses(List<String> mailboxes) {
		return mailboxes.stream().map(Headers::address).collect(Collectors.joining(",\r\n "));
	}

	/** An address with its name. */
	static String address(String text) {
		Mailbox mailbox = mailbox(text);
		String address = mailbox.address().toString();
		if (mailbox.name().isEmpty()) {
			return address;
		}
		String name = phrase(mailbox.name());
		String gap = (name.length() + address.length() > MAX_ADDRESS_LINE_LENGTH) ? "\r\n " : " ";
		return name + gap + "<" + address + ">";
	}

	static Mailbox mailbox(String text) {
		return Mailbox.parse(text).orElseThrow(() -> new Composer.Unrenderable("An address of the mail is invalid"));
	}

	private static String phrase(String name) {
		if (!isPlain(name)) {
			return encoded(name, MAX_FIELD_NAME_LENGTH);
		}
		return ATOMS.matcher(name).matches() ? name : quoted(name);
	}

	/**
	 * Value of Content-Disposition with a file name. A long name that is not ASCII is
	 * split into continuations (RFC 2231), which the mail library does not do.
	 */
	static String disposition(String disposition, String filename) {
		String name = oneLine("file name", filename);
		if (isPlain(name)) {
			return disposition + ";\r\n filename=" + quoted(name);
		}
		List<String> continuations = continuations(name);
		StringBuilder text = new StringBuilder(disposition);
		for (int i = 0; i < continuations.size(); i++) {
			text.append(";\r\n filename*");
			text.append((continuations.size() > 1) ? i + "*=" : "=");
			text.append((i == 0) ? "UTF-8''" : "").append(continuations.get(i));
		}
		return text.toString();
	}

	/**
	 * Value of Content-Type. Malformed and multipart types are replaced by the unknown
	 * type; parameters are dropped if they are too long.
	 */
	static String contentType(String type) {
		try {
			ContentType parsed = new ContentType(oneLine("content type", type));
			String text = parsed.toString();
			boolean fits = text.lines().allMatch((line) -> line.length() < MAX_LINE_LENGTH / 2);
			String base = parsed.getBaseType().toLowerCase(Locale.ROOT);
			return base.startsWith("multipart/") ? UNKNOWN_TYPE : fits ? text : base;
		}
		catch (ParseException _) {
			return UNKNOWN_TYPE;
		}
	}

	/** Quoted string (RFC 5322 section 3.2.4). */
	private static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

	private static List<String> continuations(String name) {
		List<String> continuations = new ArrayList<>();
		StringBuilder continuation = new StringBuilder();
		for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
			if (continuation.length() >= CONTINUATION_LENGTH) {
				continuations.add(continuation.toString());
				continuation.setLength(0);
			}
			continuation.append(isUnencoded(octet) ? String.valueOf((char) octet) : "%%%02X".formatted(octet));
		}
		continuations.add(continuation.toString());
		return continuations;
	}

	private static boolean isUnencoded(byte octet) {
		return octet > 0 && (Character.isLetterOrDigit(octet) || PLAIN.indexOf(octet) >= 0);
	}

}
