package dev.mailroom.worker.inbound;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.apache.james.jdkim.api.Headers;

/**
 * The header of a mail, field by field as it came in: signatures are over its bytes, and
 * no parser's idea of them.
 */
final class MailHeader implements Headers {

	/** Signatures that are looked at: each costs a question to name servers. */
	private static final int MOST_SIGNATURES = 5;

	private static final String SIGNATURE = "DKIM-Signature";

	private final List<String> fields = new ArrayList<>();

	private final byte[] raw;

	private final int body;

	private MailHeader(byte[] raw) {
		this.raw = raw;
		int at = 0;
		while (at < raw.length && !startsWithCrLf(at)) {
			int end = fieldEnd(at);
			this.fields.add(new String(raw, at, end - at, StandardCharsets.UTF_8));
			at = Math.min(end + 2, raw.length);
		}
		this.body = Math.min(at + 2, raw.length);
	}

	static MailHeader of(byte[] raw) {
		return new MailHeader(raw);
	}

	@Override
	public List<String> getFields() {
		return this.fields;
	}

	@Override
	public List<String> getFields(String name) {
		List<String> found = this.fields.stream().filter((field) -> isNamed(field, name)).toList();
		return (name.equalsIgnoreCase(SIGNATURE) && found.size() > MOST_SIGNATURES) ? found.subList(0, MOST_SIGNATURES)
				: found;
	}

	/** What stands behind the empty line. */
	InputStream body() {
		return new ByteArrayInputStream(this.raw, this.body, this.raw.length - this.body);
	}

	private static boolean isNamed(String field, String name) {
		int colon = field.indexOf(':');
		return colon > 0 && field.substring(0, colon).strip().equalsIgnoreCase(name);
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
