package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A domain.
 *
 * @param transactionalPool Pool of sending addresses of its transactional mail by direct
 * delivery. Absent without one.
 * @param campaignPool The same for mail of campaigns. Absent without one.
 */
public record Domain(String id, String name, RecordStatus status, List<DnsRecord> records, boolean openTracking,
		boolean clickTracking, TransportName transport, boolean requireTls, @Nullable String transactionalPool,
		@Nullable String campaignPool, Instant createdAt, @Nullable Instant verifiedAt) {

	static Domain of(JsonObject json) {
		return new Domain(json.text("id"), json.text("name"), new RecordStatus(json.text("status")),
				json.list("records", DnsRecord::of), json.bool("open_tracking"), json.bool("click_tracking"),
				new TransportName(json.text("transport")), json.bool("require_tls"),
				json.textOrNull("transactional_pool"), json.textOrNull("campaign_pool"), json.time("created_at"),
				json.timeOrNull("verified_at"));
	}

}
