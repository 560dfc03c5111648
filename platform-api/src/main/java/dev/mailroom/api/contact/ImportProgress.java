package dev.mailroom.api.contact;

import java.util.ArrayList;
import java.util.List;

import dev.mailroom.Refused;
import dev.mailroom.contact.ContactEntry;
import dev.mailroom.contact.SaveCount;
import org.jspecify.annotations.Nullable;

/** How far one import has come. Its pieces are counted one after the other. */
final class ImportProgress {

	/** As many are told: a file of bad lines needs no answer of its own length. */
	private static final int MOST_ERRORS = 100;

	private final List<ImportResult.LineError> errors = new ArrayList<>();

	private long added;

	private long updated;

	private long failed;

	/** The contacts among a piece's rows; what is wrong with the others is kept. */
	List<ContactEntry> entries(List<CsvRows.Row> rows) {
		List<ContactEntry> entries = new ArrayList<>();
		for (CsvRows.Row row : rows) {
			@Nullable ContactEntry entry = row.reading().entry();
			if (entry != null) {
				entries.add(entry);
			}
			else {
				fail(row);
			}
		}
		return ContactEntry.distinct(entries);
	}

	void count(SaveCount tally) {
		this.added += tally.added();
		this.updated += tally.updated();
	}

	ImportResult done() {
		String message = this.added + " contacts added, " + this.updated + " updated, " + this.failed
				+ " lines passed over";
		return new ImportResult(message, this.added, this.updated, this.failed, List.copyOf(this.errors));
	}

	/**
	 * A refusal on the way, saying what stays.
	 * @param together whether nothing of the file is kept then
	 */
	Refused stopped(Refused refused, boolean together) {
		return (together || this.added + this.updated == 0) ? refused
				: refused.refusal()
					.because(refused.message() + ". Of the lines before, " + this.added + " contacts were added and "
							+ this.updated + " updated", refused.details());
	}

	private void fail(CsvRows.Row row) {
		this.failed++;
		if (this.errors.size() < MOST_ERRORS) {
			row.reading()
				.faults()
				.forEach((fault) -> this.errors
					.add(new ImportResult.LineError(row.line(), fault.field(), fault.message())));
		}
	}

}
