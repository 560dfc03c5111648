package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A domain event data.
 *
 * @param verifiedAt Time of the first verification.
 */
public record DomainEventData(String id, String name, RecordStatus status, List<DnsRecord> records,
		boolean openTracking, boolean clickTracking, TransportName transport, boolean requireTls, Instant createdAt,
		@Nullable Instant verifiedAt) {

	static DomainEventData of(JsonObject json) {
		return new DomainEventData(json.text("id"), json.text("name"), new RecordStatus(json.text("status")),
				json.list("records", DnsRecord::of), json.bool("open_tracking"), json.bool("click_tracking"),
				new TransportName(json.text("transport")), json.bool("require_tls"), json.time("created_at"),
				json.timeOrNull("verified_at"));
	}

}
