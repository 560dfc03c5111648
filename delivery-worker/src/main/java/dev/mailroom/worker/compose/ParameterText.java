package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.ParseException;

/**
 * Header fields with parameters. A long file name that is not ASCII is split into
 * continuations (RFC 2231), which the mail library does not do.
 */
final class ParameterText {

	/** Media type of a file whose type is unknown or not permitted. */
	static final String UNKNOWN = "application/octet-stream";

	private static final int CONTINUATION_LENGTH = 60;

	/**
	 * Characters besides letters and digits that are not encoded (RFC 2231 section 7).
	 */
	private static final String PLAIN = "!#$&+-.^_`{|}~";

	private ParameterText() {
	}

	/** Value of Content-Disposition with a file name. */
	static String disposition(String disposition, String filename) {
		String name = HeaderText.oneLine("file name", filename);
		if (HeaderText.isPlain(name)) {
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
			ContentType parsed = new ContentType(HeaderText.oneLine("content type", type));
			String text = parsed.toString();
			boolean fits = text.lines().allMatch((line) -> line.length() < HeaderText.MAX_LINE_LENGTH / 2);
			String base = parsed.getBaseType().toLowerCase(Locale.ROOT);
			return base.startsWith("multipart/") ? UNKNOWN : fits ? text : base;
		}
		catch (ParseException _) {
			return UNKNOWN;
		}
	}

	/** Quoted string (RFC 5322 section 3.2.4). */
	static String quoted(String text) {
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
