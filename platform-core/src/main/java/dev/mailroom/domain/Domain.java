package dev.mailroom.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.Event;
import dev.mailroom.event.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A sending domain.
 *
 * @param status pending, verified, failed or temporary_failure
 * @param records what DNS must say, and whether it did when last looked at
 * @param transport by which way its mail leaves: relay, mx or default
 * @param requireTls whether its mail never goes in the clear
 * @param verifiedAt when it was first verified; null before
 */
public record Domain(UUID id, UUID accountId, String name, String status, List<DnsRecord> records, boolean openTracking,
		boolean clickTracking, String transport, boolean requireTls, Instant createdAt, @Nullable Instant verifiedAt) {

	/** The way of the account, or of the platform. */
	static final String DEFAULT = "default";

	/** What is told of it: the domain as its owner sees it. */
	Event event(Kind kind) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("name", this.name);
		data.put("status", this.status);
		data.put("records", this.records.stream().map(DnsRecord::data).toList());
		data.put("open_tracking", this.openTracking);
		data.put("click_tracking", this.clickTracking);
		data.put("transport", this.transport);
		data.put("require_tls", this.requireTls);
		data.put("created_at", this.createdAt.truncatedTo(ChronoUnit.MILLIS));
		data.put("verified_at", (this.verifiedAt != null) ? this.verifiedAt.truncatedTo(ChronoUnit.MILLIS) : null);
		return new Event(this.accountId, kind, null, data);
	}

	/** A domain's id and name. */
	public record Named(UUID id, String name) {
	}

	/** What is to be changed; null leaves as it is. */
	public record Change(@Nullable Boolean openTracking, @Nullable Boolean clickTracking, @Nullable String transport,
			@Nullable Boolean requireTls) {
	}

}
