package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.UUID;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * A row with a valid lease.
 *
 * @param attempt number of attempts before this one
 * @param dataUntil end of the lease that a row which passed has from then on
 * @param bytes size of the mail's content in the database
 * @param barred the reason for which the row is not handed over; null if it is
 */
record FencedRow(UUID id, int epoch, UUID accountId, UUID emailId, String recipient, int attempt, int ambiguous,
		@Nullable UUID contactId, Instant dataUntil, long bytes, Fenced.@Nullable Reason barred) {

	static FencedRow of(Readable row) {
		return new FencedRow(value(row, "id", UUID.class), number(row, "epoch"), value(row, "account_id", UUID.class),
				value(row, "email_id", UUID.class), text(row, "recipient"), number(row, "attempt"),
				number(row, "ambiguous"), row.get("contact_id", UUID.class), value(row, "data_until", Instant.class),
				value(row, "bytes", Long.class), reason(row));
	}

	private static Fenced.@Nullable Reason reason(Readable row) {
		if (on(row, "orphaned")) {
			return Fenced.Reason.CAMPAIGN_GONE;
		}
		if (on(row, "held")) {
			return Fenced.Reason.HELD;
		}
		if (on(row, "suppressed")) {
			return Fenced.Reason.SUPPRESSED;
		}
		return on(row, "exhausted") ? Fenced.Reason.EXHAUSTED : null;
	}

	/** The row, which passed, of a mail for which there is no memory. */
	FencedRow withoutRoom() {
		return new FencedRow(this.id, this.epoch, this.accountId, this.emailId, this.recipient, this.attempt,
				this.ambiguous, this.contactId, this.dataUntil, this.bytes, Fenced.Reason.NO_ROOM);
	}

	Lease lease() {
		return new Lease(this.id, this.epoch);
	}

}
