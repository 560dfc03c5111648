package dev.mailroom.domain;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A record to publish.
 *
 * @param purpose ownership, dkim, return_path, spf or dmarc
 * @param type TXT or MX
 * @param priority of an MX; null elsewhere
 * @param status pending, verified, failed or temporary_failure
 * @param error what was found in its place; null where all is well
 */
public record DnsRecord(String purpose, String type, String host, String value, @Nullable Integer priority,
		String status, @Nullable String error) {

	/** Under which the last look at it is kept. */
	String key() {
		return this.purpose + " " + this.host;
	}

	/** The same after a look. */
	DnsRecord seen(Check check) {
		return new DnsRecord(this.purpose, this.type, this.host, this.value, this.priority, check.status(),
				check.error());
	}

	/** The same as its owner sees it. */
	Map<String, Object> data() {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("purpose", this.purpose);
		data.put("type", this.type);
		data.put("host", this.host);
		data.put("value", this.value);
		if (this.priority != null) {
			data.put("priority", this.priority);
		}
		data.put("status", this.status);
		if (this.error != null) {
			data.put("error", this.error);
		}
		return data;
	}

	/** What a look at a record came to. */
	record Check(String status, @Nullable String error) {

		static final Check VERIFIED = new Check("verified", null);

		static final Check PENDING = new Check("pending", null);

		boolean isVerified() {
			return this.status.equals("verified");
		}

		boolean isUnknown() {
			return this.status.equals("temporary_failure");
		}

	}

}
