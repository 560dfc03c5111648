package dev.mailroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of contacts. */
@Command(name = "contacts", addMethodSubcommands = false, description = "Import and export contacts.")
final class Contacts {

	private static final String BOOKS = "/contact-books";

	private final Session session;

	Contacts(Session session) {
		this.session = session;
	}

	@Command(name = "import", description = { "Import contacts from a CSV file, whose first line names the columns.",
			"An import that was interrupted goes on where it ended. Skipped rows are written beside the file." })
	int read(@Parameters(paramLabel = "FILE", description = "The file.") Path file,
			@Option(names = "--book", required = true, paramLabel = "NAME",
					description = "The name or id of the contact book.") String book,
			@Option(names = "--map", split = ",", paramLabel = "COLUMN=FIELD",
					description = "Columns with other names: email, first_name, last_name, subscribed or properties.NAME.") @Nullable Map<String, String> columns,
			@Option(names = "--consent-stated",
					description = "State that the persons have agreed elsewhere.") boolean consent,
			@Option(names = "--resubscribe",
					description = "Also subscribe contacts that have unsubscribed.") boolean resubscribe)
			throws IOException {
		Api api = this.session.api();
		String id = api.id(BOOKS, "contactBooks", book);
		ContactImport work = new ContactImport(file, (columns != null) ? columns : Map.of(), this.session);
		ContactImport.Sums sums = work.run(api, id, consent, resubscribe);
		Map<String, @Nullable Object> result = new LinkedHashMap<>();
		result.put("rows", sums.rows());
		result.put("added", sums.added());
		result.put("updated", sums.updated());
		result.put("skipped", sums.skipped());
		result.put("skipped_rows", (sums.skipped() > 0) ? work.skippedFile().toString() : null);
		this.session.output()
			.result(result,
					sums.rows() + " rows: " + sums.added() + " added, " + sums.updated() + " updated, " + sums.skipped()
							+ " skipped" + ((sums.skipped() > 0) ? " → " + work.skippedFile().getFileName() : ""));
		return 0;
	}

	@Command(description = "Export the contacts of a book as CSV, or as lines of JSON with --json.")
	int export(
			@Option(names = "--book", required = true, paramLabel = "NAME",
					description = "The name or id of the contact book.") String book,
			@Option(names = "--output", paramLabel = "FILE", description = "The file to write.") @Nullable Path file)
			throws IOException {
		Api api = this.session.api();
		String id = api.id(BOOKS, "contactBooks", book);
		if (this.session.asksForJson()) {
			api.each(Api.path(BOOKS, id, "contacts"), "contacts", (contact) -> {
				this.session.output().json(contact.it());
				return true;
			});
			return 0;
		}
		try (InputStream csv = api.sdk().contacts().exportCsv(id)) {
			if (file != null) {
				Files.copy(csv, file);
				return 0;
			}
			byte[] part = new byte[8192];
			for (int length = csv.read(part); length >= 0; length = csv.read(part)) {
				this.session.program().out().write(part, 0, length);
			}
			this.session.output().raw("");
		}
		return 0;
	}

}
