package dev.mailroom.cli;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.writer.CsvWriter;
import dev.mailroom.sdk.ImportResult;
import dev.mailroom.sdk.Json;

/**
 * An import of contacts in parts. Each part has an idempotency key made of the file, the
 * run and its number; a state file holds the parts that are done. A run that was
 * interrupted is continued with the same keys, and a later one has other keys.
 */
final class ContactImport {

	private static final int ROWS = 5_000;

	private static final int BAR = 20;

	private final Path file;

	private final Map<String, String> columns;

	private final Session session;

	private final long start = System.nanoTime();

	ContactImport(Path file, Map<String, String> columns, Session session) {
		this.file = file;
		this.columns = columns;
		this.session = session;
	}

	Path skippedFile() {
		String name = String.valueOf(this.file.getFileName()).replaceAll("\\.csv$", "");
		return this.file.resolveSibling(name + ".skipped.csv");
	}

	Sums run(Api api, String book, boolean consent, boolean resubscribe) throws IOException {
		if (!Files.isRegularFile(this.file)) {
			throw Failure.usage("There is no file " + this.file);
		}
		String digest = digest();
		long total = count();
		Path state = this.session.state().resolve("import-" + digest + "-" + book + ".json");
		Progress progress = Files.exists(state) ? Progress.of(new Value(Json.read(Profiles.read(state))))
				: new Progress(UUID.randomUUID().toString(), 0, new Sums(0, 0, 0, 0));
		if (progress.parts() > 0) {
			this.session.output().note("Continues after " + progress.sums().rows() + " rows");
		}
		else {
			Files.deleteIfExists(skippedFile());
		}
		long done = progress.sums().rows();
		try (CsvReader<CsvRecord> rows = reader()) {
			List<String> head = List.of();
			int number = 0;
			List<CsvRecord> part = new ArrayList<>();
			for (CsvRecord row : rows) {
				if (head.isEmpty()) {
					head = head(row);
					continue;
				}
				part.add(row);
				if (part.size() == ROWS) {
					number++;
					if (number > progress.parts()) {
						progress = send(api, book, digest, head, part, progress, consent, resubscribe);
						Profiles.write(state, Json.write(progress.value()));
						show(progress.sums(), total, done);
					}
					part.clear();
				}
			}
			if (!part.isEmpty()) {
				progress = send(api, book, digest, head, part, progress, consent, resubscribe);
			}
		}
		Files.deleteIfExists(state);
		this.session.output().draw(List.of());
		return progress.sums();
	}

	private Progress send(Api api, String book, String digest, List<String> head, List<CsvRecord> part, Progress before,
			boolean consent, boolean resubscribe) throws IOException {
		StringWriter csv = new StringWriter();
		// The server names rows by their line.
		Map<Long, CsvRecord> byLine = new TreeMap<>();
		try (CsvWriter writer = CsvWriter.builder().build(csv)) {
			writer.writeRecord(head);
			long line = 2;
			for (CsvRecord row : part) {
				byLine.put(line, row);
				writer.writeRecord(row.getFields());
				line += 1 + row.getFields().stream().mapToLong(ContactImport::breaks).sum();
			}
		}
		String key = digest + "-" + before.run() + "-" + (before.parts() + 1);
		ImportResult result = api.sdk()
			.with((options) -> options.withIdempotencyKey(key))
			.contacts()
			.importCsv(book, csv.toString(), (query) -> query.consentStated(consent).resubscribe(resubscribe));
		skip(head, byLine, result);
		return before.and(part.size(), result);
	}

	private static long breaks(String field) {
		return field.chars().filter((character) -> character == '\n').count();
	}

	private void skip(List<String> head, Map<Long, CsvRecord> byLine, ImportResult result) throws IOException {
		if (result.errors().isEmpty()) {
			return;
		}
		StringWriter csv = new StringWriter();
		try (CsvWriter writer = CsvWriter.builder().build(csv)) {
			if (!Files.exists(skippedFile())) {
				writer.writeRecord(with(head, "error"));
			}
			for (ImportResult.ErrorItem error : result.errors()) {
				CsvRecord row = byLine.get(error.line());
				List<String> fields = (row != null) ? row.getFields() : List.of();
				writer.writeRecord(with(fields, error.field() + " " + error.message()));
			}
		}
		Files.writeString(skippedFile(), csv.toString(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

	private static List<String> with(List<String> fields, String more) {
		List<String> all = new ArrayList<>(fields);
		all.add(more);
		return all;
	}

	private List<String> head(CsvRecord row) {
		List<String> names = row.getFields().stream().map(String::strip).toList();
		this.columns.keySet().forEach((name) -> {
			if (!names.contains(name)) {
				throw Failure.usage("The file has no column " + Output.clean(name));
			}
		});
		return names.stream()
			.map((name) -> this.columns.getOrDefault(name, name).replaceFirst("^properties\\.", ""))
			.toList();
	}

	private CsvReader<CsvRecord> reader() throws IOException {
		return CsvReader.builder()
			.detectBomHeader(true)
			.extraFieldStrategy(FieldMismatchStrategy.IGNORE)
			.missingFieldStrategy(FieldMismatchStrategy.IGNORE)
			.ofCsvRecord(this.file, StandardCharsets.UTF_8);
	}

	private long count() throws IOException {
		try (CsvReader<CsvRecord> rows = reader()) {
			return Math.max(0, rows.stream().count() - 1);
		}
	}

	private String digest() {
		try (DigestInputStream in = new DigestInputStream(Files.newInputStream(this.file),
				MessageDigest.getInstance("SHA-256"))) {
			byte[] part = new byte[1 << 16];
			while (in.read(part) >= 0) {
				// The digest reads along.
			}
			return HexFormat.of().formatHex(in.getMessageDigest().digest(), 0, 8);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-256 is part of every JDK", ex);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void show(Sums sums, long total, long doneBefore) {
		double seconds = Math.max(0.001, (System.nanoTime() - this.start) / 1e9);
		double rate = (sums.rows() - doneBefore) / seconds;
		int filled = (int) (BAR * sums.rows() / Math.max(1, total));
		long left = Math.round((total - sums.rows()) / Math.max(1, rate));
		this.session.output()
			.draw(List.of("%s%s  %d / %d   %.0f/s   %d:%02d left   %d rows skipped".formatted("█".repeat(filled),
					"░".repeat(BAR - filled), sums.rows(), total, rate, left / 60, left % 60, sums.skipped())));
	}

	/** Numbers of rows. */
	record Sums(long rows, long added, long updated, long skipped) {
	}

	/**
	 * The part of an import that is done.
	 *
	 * @param run distinguishes the runs of one file
	 * @param parts the number of parts that the server has saved
	 */
	private record Progress(String run, int parts, Sums sums) {

		static Progress of(Value value) {
			return new Progress(value.at("run").raw(), (int) value.at("parts").number(),
					new Sums(value.at("rows").number(), value.at("added").number(), value.at("updated").number(),
							value.at("skipped").number()));
		}

		Progress and(int rows, ImportResult result) {
			return new Progress(this.run, this.parts + 1,
					new Sums(this.sums.rows() + rows, this.sums.added() + result.count(),
							this.sums.updated() + result.updated(), this.sums.skipped() + result.failed()));
		}

		Map<String, Object> value() {
			Map<String, Object> value = new LinkedHashMap<>();
			value.put("run", this.run);
			value.put("parts", this.parts);
			value.put("rows", this.sums.rows());
			value.put("added", this.sums.added());
			value.put("updated", this.sums.updated());
			value.put("skipped", this.sums.skipped());
			return value;
		}

	}

}
