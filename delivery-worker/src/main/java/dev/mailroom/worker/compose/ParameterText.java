package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.ParseException;

/**
 * A part's headers that have parameters. A file's name that is not ASCII is written in
 * pieces (RFC 2231): the library would write it in one, however long.
 */
final class ParameterText {

	/** What a file is of which nothing is known. */
	static final String UNKNOWN = "application/octet-stream";

	private static final int PIECE = 60;

	/** What stands for itself besides letters and digits (RFC 2231 7). */
	private static final String PLAIN = "!#$&+-.^_`{|}~";

	private ParameterText() {
	}

	/** A Content-Disposition with a file's name. */
	static String disposition(String disposition, String filename) {
		String name = HeaderText.oneLine("file name", filename);
		if (HeaderText.isPlain(name)) {
			return disposition + ";\r\n filename=" + quoted(name);
		}
		List<String> pieces = pieces(name);
		StringBuilder text = new StringBuilder(disposition);
		for (int i = 0; i < pieces.size(); i++) {
			text.append(";\r\n filename*");
			text.append((pieces.size() > 1) ? i + "*=" : "=");
			text.append((i == 0) ? "UTF-8''" : "").append(pieces.get(i));
		}
		return text.toString();
	}

	/**
	 * A Content-Type as far as it can be read; what cannot is no type, and what would
	 * open a part of its own is not one of a file.
	 */
	static String contentType(String type) {
		try {
			ContentType parsed = new ContentType(HeaderText.oneLine("content type", type));
			String text = parsed.toString();
			boolean fits = text.lines().allMatch((line) -> line.length() < HeaderText.LONGEST_LINE / 2);
			String base = parsed.getBaseType().toLowerCase(Locale.ROOT);
			return base.startsWith("multipart/") ? UNKNOWN : fits ? text : base;
		}
		catch (ParseException _) {
			return UNKNOWN;
		}
	}

	/** A quoted string (RFC 5322 3.2.4). */
	static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

	private static List<String> pieces(String name) {
		List<String> pieces = new ArrayList<>();
		StringBuilder piece = new StringBuilder();
		for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
			if (piece.length() >= PIECE) {
				pieces.add(piece.toString());
				piece.setLength(0);
			}
			piece.append(stands(octet) ? String.valueOf((char) octet) : "%%%02X".formatted(octet));
		}
		pieces.add(piece.toString());
		return pieces;
	}

	private static boolean stands(byte octet) {
		return octet > 0 && (Character.isLetterOrDigit(octet) || PLAIN.indexOf(octet) >= 0);
	}

}
