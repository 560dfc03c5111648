package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.r2dbc.spi.Readable;

/** Reads a row of the view that shows campaigns. */
final class CampaignRow {

	private CampaignRow() {
	}

	static Campaign read(Readable row) {
		return new Campaign(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "name", String.class), status(row), value(row, "sender", String.class),
				value(row, "from_email", String.class), value(row, "domain_id", UUID.class),
				List.of(value(row, "reply_to", String[].class)), value(row, "subject", String.class),
				value(row, "contact_book_id", UUID.class), value(row, "contact_book_name", String.class),
				row.get("template_id", UUID.class), row.get("html_content", String.class),
				row.get("text_content", String.class), row.get("send_at", Instant.class),
				row.get("started_at", Instant.class), row.get("paused_reason", String.class),
				number(row, "total_contacts"), number(row, "sent_count"), number(row, "delivered_count"),
				number(row, "opened_count"), number(row, "clicked_count"), value(row, "created_at", Instant.class),
				value(row, "updated_at", Instant.class));
	}

	private static Status status(Readable row) {
		return Status.of(value(row, "status", String.class)).orElseThrow();
	}

	private static long number(Readable row, String column) {
		return value(row, column, Long.class);
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
