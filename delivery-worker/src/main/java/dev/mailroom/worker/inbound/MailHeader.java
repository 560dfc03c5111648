package dev.mailroom.worker.inbound;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.apache.james.jdkim.api.Headers;

/**
 * The header of a mail, field by field as it came in: signatures are over its bytes, and
 * no parser's idea of them.
 */
final class MailHeader implements Headers {

	/** Signatures that are looked at: each costs a question to name servers. */
	private static final int MOST_SIGNATURES = 5;

	private static final String SIGNATURE = "DKIM-Signature";

	/** As many as the reader of mails reads. */
	private static final int MOST_FIELDS = 1000;

	/** Of all fields together. */
	private static final int LONGEST = 500_000;

	/** What signs for more than this names fields to keep us busy. */
	private static final int LONGEST_SIGNATURE = 16_384;

	private final List<String> fields = new ArrayList<>();

	private final Map<String, List<String>> named = new HashMap<>();

	private final byte[] raw;

	private final int body;

	private MailHeader(byte[] raw) throws IOException {
		this.raw = raw;
		int at = 0;
		while (at < raw.length && !startsWithCrLf(at)) {
			int end = fieldEnd(at);
			if (this.fields.size() == MOST_FIELDS || end > LONGEST) {
				throw new IOException("The header has no end");
			}
			add(new String(raw, at, end - at, StandardCharsets.UTF_8));
			at = Math.min(end + 2, raw.length);
		}
		this.body = Math.min(at + 2, raw.length);
	}

	/**
	 * Reads a mail's header.
	 * @throws IOException where it is longer than any mail's
	 */
	static MailHeader of(byte[] raw) throws IOException {
		return new MailHeader(raw);
	}

	@Override
	public List<String> getFields() {
		return this.fields;
	}

	/** Asked for every name that a signature lists: it must cost no search. */
	@Override
	public List<String> getFields(String name) {
		List<String> found = this.named.getOrDefault(key(name), List.of());
		return name.equalsIgnoreCase(SIGNATURE)
				? found.stream().filter((field) -> field.length() <= LONGEST_SIGNATURE).limit(MOST_SIGNATURES).toList()
				: found;
	}

	/** What stands behind the empty line. */
	InputStream body() {
		return new ByteArrayInputStream(this.raw, this.body, this.raw.length - this.body);
	}

	private void add(String field) {
		this.fields.add(field);
		int colon = field.indexOf(':');
		if (colon > 0) {
			this.named.computeIfAbsent(key(field.substring(0, colon)), (_) -> new ArrayList<>()).add(field);
		}
	}

	private static String key(String name) {
		return name.strip().toLowerCase(Locale.ROOT);
	}

	/** Where a field ends: at a line's end behind which the next is not folded. */
	private int fieldEnd(int from) {
		int at = from;
		while (at < this.raw.length && !(startsWithCrLf(at) && !folded(at + 2))) {
			at++;
		}
		return at;
	}

	private boolean startsWithCrLf(int at) {
		return at + 1 < this.raw.length && this.raw[at] == '\r' && this.raw[at + 1] == '\n';
	}

	private boolean folded(int at) {
		return at < this.raw.length && (this.raw[at] == ' ' || this.raw[at] == '\t');
	}

}
