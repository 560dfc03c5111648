package dev.mailroom.worker.compose;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A written message, as its signatures see it: relaxed headers and a relaxed body (RFC
 * 6376 3.4.2, 3.4.4).
 */
record RawMessage(Map<String, List<String>> headers, byte[] message, int bodyStart) {

	static RawMessage of(byte[] message) {
		int bodyStart = bodyStart(message);
		Map<String, List<String>> headers = new HashMap<>();
		String head = new String(message, 0, Math.max(0, bodyStart - 2), StandardCharsets.UTF_8);
		// A line that begins with white space goes on with the field before it.
		for (String field : head.split("\r\n(?![ \t])", -1)) {
			int colon = field.indexOf(':');
			if (colon > 0) {
				String name = field.substring(0, colon).strip().toLowerCase(Locale.ROOT);
				headers.computeIfAbsent(name, (_) -> new ArrayList<>()).add(relaxed(field));
			}
		}
		return new RawMessage(headers, message, bodyStart);
	}

	/** The fields of a name, from the top down, relaxed. */
	List<String> fields(String name) {
		return this.headers.getOrDefault(name, List.of());
	}

	/**
	 * A field unfolded: the name lower-case, white space a single space and none around
	 * the colon.
	 */
	static String relaxed(String field) {
		int colon = field.indexOf(':');
		String name = field.substring(0, colon).strip().toLowerCase(Locale.ROOT);
		return name + ":" + field.substring(colon + 1).replace("\r\n", "").replaceAll("[ \t]+", " ").strip();
	}

	/**
	 * The body with white space a single space, none at the end of a line, and no empty
	 * lines at its end.
	 */
	byte[] relaxedBody() {
		ByteArrayOutputStream relaxed = new ByteArrayOutputStream(this.message.length - this.bodyStart + 2);
		int emptyLines = 0;
		int from = this.bodyStart;
		while (from < this.message.length) {
			int end = lineEnd(from);
			byte[] line = relaxedLine(from, end);
			if (line.length == 0) {
				emptyLines++;
			}
			else {
				for (; emptyLines > 0; emptyLines--) {
					relaxed.write('\r');
					relaxed.write('\n');
				}
				relaxed.writeBytes(line);
				relaxed.write('\r');
				relaxed.write('\n');
			}
			from = end + 2;
		}
		return relaxed.toByteArray();
	}

	private int lineEnd(int from) {
		for (int i = from; i + 1 < this.message.length; i++) {
			if (this.message[i] == '\r' && this.message[i + 1] == '\n') {
				return i;
			}
		}
		return this.message.length;
	}

	private byte[] relaxedLine(int from, int end) {
		ByteArrayOutputStream line = new ByteArrayOutputStream(end - from);
		boolean space = false;
		for (int i = from; i < end; i++) {
			if (this.message[i] == ' ' || this.message[i] == '\t') {
				space = true;
				continue;
			}
			if (space) {
				line.write(' ');
				space = false;
			}
			line.write(this.message[i]);
		}
		return line.toByteArray();
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
