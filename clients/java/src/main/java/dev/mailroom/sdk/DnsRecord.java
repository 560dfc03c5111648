package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A record to publish.
 *
 * @param priority Only for MX records.
 * @param error The record that was found instead. Absent if it is correct.
 */
public record DnsRecord(String purpose, String type, String host, String value, @Nullable Long priority,
		RecordStatus status, @Nullable String error) {

	static DnsRecord of(JsonObject json) {
		return new DnsRecord(json.text("purpose"), json.text("type"), json.text("host"), json.text("value"),
				json.integerOrNull("priority"), new RecordStatus(json.text("status")), json.textOrNull("error"));
	}

}
