package dev.mailroom.worker.smtp.server;

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
 * Header fields of a mail exactly as received, because signatures cover their bytes.
 */
final class MailHeader implements Headers {

	/** Limit on the signatures verified, since each requires a DNS lookup. */
	private static final int MAX_SIGNATURES = 5;

	private static final String SIGNATURE = "DKIM-Signature";

	/** The same limit as in the MIME parser. */
	private static final int MAX_FIELDS = 1000;

	/** Limit on all fields together, in bytes. */
	private static final int MAX_HEADER_LENGTH = 500_000;

	/** Longer signatures are ignored: they list fields only to cause work. */
	private static final int MAX_SIGNATURE_LENGTH = 16_384;

	private final List<String> fields = new ArrayList<>();

	private final Map<String, List<String>> byName = new HashMap<>();

	private final byte[] raw;

	private final int bodyStart;

	private MailHeader(byte[] raw) throws IOException {
		this.raw = raw;
		int at = 0;
		while (at < raw.length && !startsWithCrLf(at)) {
			int end = fieldEnd(at);
			if (this.fields.size() == MAX_FIELDS || end > MAX_HEADER_LENGTH) {
				throw new IOException("The header exceeds the limit");
			}
			add(new String(raw, at, end - at, StandardCharsets.UTF_8));
			at = Math.min(end + 2, raw.length);
		}
		this.bodyStart = Math.min(at + 2, raw.length);
	}

	/**
	 * Reads a mail's header.
	 * @throws IOException if it exceeds the limits
	 */
	static MailHeader of(byte[] raw) throws IOException {
		return new MailHeader(raw);
	}

	@Override
	public List<String> getFields() {
		return this.fields;
	}

	/** Called for every name that a signature lists, hence indexed. */
	@Override
	public List<String> getFields(String name) {
		List<String> matching = this.byName.getOrDefault(key(name), List.of());
		return name.equalsIgnoreCase(SIGNATURE) ? matching.stream()
			.filter((field) -> field.length() <= MAX_SIGNATURE_LENGTH)
			.limit(MAX_SIGNATURES)
			.toList() : matching;
	}

	/** Body after the empty line. */
	InputStream body() {
		return new ByteArrayInputStream(this.raw, this.bodyStart, this.raw.length - this.bodyStart);
	}

	private void add(String field) {
		this.fields.add(field);
		int colon = field.indexOf(':');
		if (colon > 0) {
			this.byName.computeIfAbsent(key(field.substring(0, colon)), (_) -> new ArrayList<>()).add(field);
		}
	}

	private static String key(String name) {
		return name.strip().toLowerCase(Locale.ROOT);
	}

	/** End of a field: the first line end without a folded line after it. */
	private int fieldEnd(int from) {
		int at = from;
		while (at < this.raw.length && !(startsWithCrLf(at) && !isFolded(at + 2))) {
			at++;
		}
		return at;
	}

	private boolean startsWithCrLf(int at) {
		return at + 1 < this.raw.length && this.raw[at] == '\r' && this.raw[at + 1] == '\n';
	}

	private boolean isFolded(int at) {
		return at < this.raw.length && (this.raw[at] == ' ' || this.raw[at] == '\t');
	}

}
