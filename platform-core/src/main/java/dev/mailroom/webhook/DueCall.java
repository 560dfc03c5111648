package dev.mailroom.webhook;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.TraceParent;
import dev.mailroom.mail.log.EventPayload;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * A due call with its endpoint.
 *
 * @param svixHeaders whether the call also has the headers of Svix
 * @param body the body; null if the event was removed before the first attempt
 * @param trace the span of the request that sent the mail of the event, before the first
 * attempt
 * @param stored whether the body was stored by an earlier attempt
 */
record DueCall(UUID endpointId, UUID accountId, String url, boolean svixHeaders, byte[] sealedSecret,
		byte @Nullable [] sealedPrevious, UUID id, UUID eventId, String kind, int attempt, @Nullable String body,
		boolean stored, @Nullable TraceParent trace, @Nullable Double firstWaitSeconds) {

	/**
	 * Version of the bodies; a new one is introduced only with an incompatible change.
	 */
	private static final String API_VERSION = "2026-11-01";

	static DueCall of(Readable row, JsonMapper json) {
		@Nullable String stored = row.get("body", String.class);
		return new DueCall(value(row, "endpoint_id", UUID.class), value(row, "account_id", UUID.class),
				text(row, "url"), on(row, "svix_headers"), value(row, "sealed_secret", byte[].class),
				row.get("sealed_previous", byte[].class), value(row, "id", UUID.class),
				value(row, "event_id", UUID.class), text(row, "kind"), number(row, "attempt"),
				(stored != null || !on(row, "has_event")) ? stored : compose(row, json), stored != null,
				TraceParent.parse(row.get("trace", String.class)).orElse(null), row.get("first_wait", Double.class));
	}

	private static String compose(Readable row, JsonMapper json) {
		return write(json, value(row, "event_id", UUID.class), text(row, "kind"),
				value(row, "created_at", Instant.class), EventPayload.read(row, json));
	}

	/** The body of the call about an event. */
	static String write(JsonMapper json, UUID eventId, String kind, Instant createdAt, Map<String, Object> data) {
		return json.writeValueAsString(
				body(eventId.toString(), kind, createdAt.truncatedTo(ChronoUnit.MILLIS).toString(), data));
	}

	/** The fields of a body. */
	static Map<String, Object> body(String eventId, String kind, String createdAt, Map<String, Object> data) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("id", eventId);
		body.put("type", kind);
		body.put("api_version", API_VERSION);
		body.put("created_at", createdAt);
		body.put("data", data);
		return body;
	}

}
