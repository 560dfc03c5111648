package dev.mailroom.queue;

import java.util.UUID;

import dev.mailroom.outcome.Outcome;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.wire.RowColumns.number;
import static dev.mailroom.wire.RowColumns.on;
import static dev.mailroom.wire.RowColumns.text;
import static dev.mailroom.wire.RowColumns.value;

/** A row behind the fence, or barred from it. */
record FencedRow(UUID id, int epoch, UUID accountId, UUID emailId, String recipient, int attempt, int ambiguous,
		@Nullable UUID contactId, boolean barred, boolean over) {

	static FencedRow of(Readable row) {
		return new FencedRow(value(row, "id", UUID.class), number(row, "epoch"), value(row, "account_id", UUID.class),
				value(row, "email_id", UUID.class), text(row, "recipient"), number(row, "attempt"),
				number(row, "ambiguous"), row.get("contact_id", UUID.class), on(row, "barred"), on(row, "over"));
	}

	boolean mayPass() {
		return !this.barred && !this.over;
	}

	/** Why it may not pass. */
	Outcome reason() {
		return this.barred ? new Outcome.Suppressed() : new Outcome.Deferred("No attempt was ever answered");
	}

	Lease lease() {
		return new Lease(this.id, this.epoch);
	}

}
