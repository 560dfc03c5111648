package dev.mailroom.api.contact;

import java.util.ArrayList;
import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.contact.ContactEntry;
import dev.mailroom.contact.SaveCount;

/** Counts and errors of one import. Not thread-safe: its chunks are saved one by one. */
final class ImportProgress {

	/** Bounds the response to a file with many invalid lines. */
	private static final int MAX_REPORTED_ERRORS = 100;

	private final List<ImportResult.LineError> errors = new ArrayList<>();

	private long added;

	private long updated;

	private long failed;

	/** The valid contacts of a chunk; the errors of the others are recorded. */
	List<ContactEntry> entries(List<CsvRows.Row> rows) {
		List<ContactEntry> entries = new ArrayList<>();
		for (CsvRows.Row row : rows) {
			switch (row.contact()) {
				case ContactEntry.Valid(var entry) -> entries.add(entry);
				case ContactEntry.Invalid(var details) -> fail(row.line(), details);
			}
		}
		return ContactEntry.distinct(entries);
	}

	void add(SaveCount saved) {
		this.added += saved.added();
		this.updated += saved.updated();
	}

	ImportResult result() {
		String message = this.added + " contacts added, " + this.updated + " updated, " + this.failed
				+ " lines skipped";
		return new ImportResult(message, this.added, this.updated, this.failed, List.copyOf(this.errors));
	}

	/**
	 * A refusal that ends the import, with the number of contacts that were saved before.
	 * @param atomic whether the refusal rolls back the whole import
	 */
	Refused stopped(Refused refused, boolean atomic) {
		return (atomic || this.added + this.updated == 0) ? refused
				: refused.refusal()
					.because(refused.message() + ". Before that, " + this.added + " contacts were added and "
							+ this.updated + " updated", refused.details());
	}

	private void fail(long line, List<Refusal.Detail> details) {
		this.failed++;
		if (this.errors.size() < MAX_REPORTED_ERRORS) {
			details
				.forEach((error) -> this.errors.add(new ImportResult.LineError(line, error.field(), error.message())));
		}
	}

}
