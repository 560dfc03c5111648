package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A message in the canonical form that is signed: relaxed header and body (RFC 6376
 * sections 3.4.2 and 3.4.4).
 */
record RawMessage(Map<String, List<String>> headers, byte[] message, int bodyStart) {

	/** End of a field: a line end that is not followed by a folded line. */
	private static final Pattern FIELDS = Pattern.compile("\r\n(?![ \t])");

	private static final Pattern SPACES = Pattern.compile("[ \t]+");

	static RawMessage of(byte[] message) {
		int bodyStart = bodyStart(message);
		Map<String, List<String>> headers = new HashMap<>();
		String head = new String(message, 0, Math.max(0, bodyStart - 2), StandardCharsets.UTF_8);
		for (String field : FIELDS.split(head, -1)) {
			int colon = field.indexOf(':');
			if (colon > 0) {
				String name = field.substring(0, colon).strip().toLowerCase(Locale.ROOT);
				headers.computeIfAbsent(name, (_) -> new ArrayList<>()).add(relaxed(field));
			}
		}
		return new RawMessage(headers, message, bodyStart);
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
		String name = field.substring(0, colon).strip().toLowerCase(Locale.ROOT);
		return name + ":" + SPACES.matcher(field.substring(colon + 1).replace("\r\n", "")).replaceAll(" ").strip();
	}

	/**
	 * The body in canonical form: white space reduced to single spaces, none at line
	 * ends, no empty lines at the end.
	 */
	byte[] relaxedBody() {
		byte[] relaxed = new byte[this.message.length - this.bodyStart + 2];
		int length = 0;
		int emptyLines = 0;
		for (int from = this.bodyStart; from < this.message.length;) {
			int end = lineEnd(from);
			int begin = endLines(relaxed, length, emptyLines);
			int after = relaxLine(from, end, relaxed, begin);
			if (after == begin) {
				emptyLines++;
			}
			else {
				length = endLines(relaxed, after, 1);
				emptyLines = 0;
			}
			from = end + 2;
		}
		return Arrays.copyOf(relaxed, length);
	}

	/** Writes line ends; pending empty lines are written before the next line. */
	private static int endLines(byte[] bytes, int at, int lines) {
		int end = Math.min(at + 2 * lines, bytes.length);
		for (int i = at; i + 1 < end; i += 2) {
			bytes[i] = '\r';
			bytes[i + 1] = '\n';
		}
		return end;
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
