package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A message in the canonical form that is signed: relaxed header and body (RFC 6376
 * sections 3.4.2 and 3.4.4). The time is linear in the length of the message.
 */
record RawMessage(Map<String, List<String>> headers, byte[] message, int bodyStart) {

	private static final String LINE_END = "\r\n";

	static RawMessage of(byte[] message) {
		int bodyStart = bodyStart(message);
		Map<String, List<String>> headers = new HashMap<>();
		String head = new String(message, 0, Math.max(0, bodyStart - 2), StandardCharsets.UTF_8);
		for (int from = 0; from < head.length();) {
			int end = fieldEnd(head, from);
			int colon = head.indexOf(':', from);
			if (colon > from && colon < end) {
				String name = head.substring(from, colon).strip().toLowerCase(Locale.ROOT);
				headers.computeIfAbsent(name, (_) -> new ArrayList<>(1)).add(relaxed(head.substring(from, end)));
			}
			from = end + LINE_END.length();
		}
		return new RawMessage(headers, message, bodyStart);
	}

	/** End of a field: a line end that is not followed by a folded line. */
	private static int fieldEnd(String head, int from) {
		int end = head.indexOf(LINE_END, from);
		while (end >= 0 && end + 2 < head.length() && isSpace(head.charAt(end + 2))) {
			end = head.indexOf(LINE_END, end + 2);
		}
		return (end < 0) ? head.length() : end;
	}

	private static boolean isSpace(char character) {
		return character == ' ' || character == '\t';
	}

	/** Canonical fields of a name, from top to bottom. */
	List<String> fields(String name) {
		return this.headers.getOrDefault(name, List.of());
	}

	/**
	 * A field in canonical form: unfolded, the name in lower case, white space reduced to
	 * single spaces, none around the colon.
	 */
	static String relaxed(String field) {
		int colon = field.indexOf(':');
		StringBuilder relaxed = new StringBuilder(field.length());
		relaxed.append(field.substring(0, colon).strip().toLowerCase(Locale.ROOT)).append(':');
		int start = relaxed.length();
		boolean space = false;
		for (int i = colon + 1; i < field.length(); i++) {
			char character = field.charAt(i);
			if (isSpace(character)) {
				space = true;
			}
			else if (!field.startsWith(LINE_END, i)) {
				if (space && relaxed.length() > start) {
					relaxed.append(' ');
				}
				space = false;
				relaxed.append(character);
			}
			else {
				i++;
			}
		}
		return relaxed.toString();
	}

	/**
	 * The body in canonical form: white space reduced to single spaces, none at line
	 * ends, no empty lines at the end. Empty lines are counted, and written when another
	 * line follows.
	 */
	byte[] relaxedBody() {
		byte[] relaxed = new byte[this.message.length - this.bodyStart + 2];
		int length = 0;
		int emptyLines = 0;
		for (int from = this.bodyStart; from < this.message.length;) {
			int end = lineEnd(from);
			int begin = length + 2 * emptyLines;
			int after = relaxLine(from, end, relaxed, begin);
			if (after == begin) {
				emptyLines++;
			}
			else {
				endLines(relaxed, length, emptyLines);
				endLines(relaxed, after, 1);
				length = after + 2;
				emptyLines = 0;
			}
			from = end + 2;
		}
		return Arrays.copyOf(relaxed, length);
	}

	private static void endLines(byte[] bytes, int at, int lines) {
		for (int i = at; i < at + 2 * lines; i += 2) {
			bytes[i] = '\r';
			bytes[i + 1] = '\n';
		}
	}

	private int lineEnd(int from) {
		for (int i = from; i + 1 < this.message.length; i++) {
			if (this.message[i] == '\r' && this.message[i + 1] == '\n') {
				return i;
			}
		}
		return this.message.length;
	}

	private int relaxLine(int from, int end, byte[] to, int at) {
		int length = at;
		boolean space = false;
		for (int i = from; i < end; i++) {
			byte octet = this.message[i];
			if (octet == ' ' || octet == '\t') {
				space = true;
				continue;
			}
			if (space) {
				to[length++] = ' ';
				space = false;
			}
			to[length++] = octet;
		}
		return length;
	}

	private static int bodyStart(byte[] message) {
		for (int i = 0; i + 3 < message.length; i++) {
			if (message[i] == '\r' && message[i + 1] == '\n' && message[i + 2] == '\r' && message[i + 3] == '\n') {
				return i + 4;
			}
		}
		return message.length;
	}

}
