package dev.mailroom.domain;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import dev.mailroom.domain.Domain.Status;
import org.jspecify.annotations.Nullable;

/**
 * A DNS record that a domain must publish.
 *
 * @param type {@code TXT} or {@code MX}
 * @param priority preference of an MX record; null for other types
 * @param status result of the last lookup
 * @param error difference that the last lookup found; null if there was none
 */
public record DnsRecord(Purpose purpose, String type, String host, String value, @Nullable Integer priority,
		Status status, @Nullable String error) {

	/** Purposes of the records. */
	public enum Purpose {

		OWNERSHIP, DKIM, RETURN_PATH, SPF, DMARC;

		/** The value in JSON. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** Key of the record's stored check. */
	String key() {
		return this.purpose.contractName() + " " + this.host;
	}

	/** The same record with the result of a lookup. */
	DnsRecord with(Check check) {
		return new DnsRecord(this.purpose, this.type, this.host, this.value, this.priority, check.status(),
				check.error());
	}

	/** The record as part of an event's data. */
	Map<String, Object> data() {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("purpose", this.purpose.contractName());
		data.put("type", this.type);
		data.put("host", this.host);
		data.put("value", this.value);
		if (this.priority != null) {
			data.put("priority", this.priority);
		}
		data.put("status", this.status.contractName());
		if (this.error != null) {
			data.put("error", this.error);
		}
		return data;
	}

	/** Result of looking up a record. */
	record Check(Status status, @Nullable String error) {

		static final Check VERIFIED = new Check(Status.VERIFIED, null);

		static final Check PENDING = new Check(Status.PENDING, null);

	}

}
