package dev.mailroom.mail.log;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Data of an event as clients receive it. The fields that all events of a mail share are
 * stored with the mail only, and are added in front of the event's own when it is read.
 */
public final class EventPayload {

	/** The join that follows {@code from event}. */
	public static final String JOIN = " left join email on email.id = event.email_id and email.account_id = event.account_id ";

	/** The columns that {@link #read} needs. */
	public static final String COLUMNS = "event.data, event.email_id, email.sender, email.to_emails, email.subject, "
			+ "email.tags, email.domain_id, email.campaign_id";

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	private EventPayload() {
	}

	/** Reads the data from a row with these columns. */
	public static Map<String, Object> read(Readable row, JsonMapper json) {
		Map<String, Object> payload = new LinkedHashMap<>();
		@Nullable UUID emailId = row.get("email_id", UUID.class);
		if (emailId != null) {
			payload.put("email_id", emailId.toString());
		}
		String @Nullable [] to = row.get("to_emails", String[].class);
		if (to != null) {
			payload.put("from", value(row, "sender", String.class));
			payload.put("to", List.of(to));
			payload.put("subject", value(row, "subject", String.class));
			payload.put("tags", object(row, "tags", json));
			payload.put("domain_id", value(row, "domain_id", UUID.class).toString());
			@Nullable UUID campaignId = row.get("campaign_id", UUID.class);
			if (campaignId != null) {
				payload.put("campaign_id", campaignId.toString());
			}
		}
		payload.putAll(object(row, "data", json));
		return payload;
	}

	private static Map<String, Object> object(Readable row, String column, JsonMapper json) {
		return Objects.requireNonNull(json.readValue(value(row, column, String.class), OBJECT), column);
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
