package dev.mailroom.api.contact;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executors;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.contact.ContactBooks;
import dev.mailroom.contact.ContactIntake;
import jakarta.annotation.PreDestroy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.stereotype.Component;

/**
 * Reads a file of CSV (RFC 4180) into a book while it comes in, some lines at a time: of
 * a file of any size no more than a few pieces are in memory. The parser waits for its
 * input, so each file has a virtual thread of its own to wait in.
 */
@Component
class CsvImport {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	/** Lines stored in one transaction. */
	private static final int PIECE = 500;

	/** Buffers of the request read ahead. */
	private static final int AHEAD = 4;

	/** The longest a field may be, in characters. */
	private static final int LONGEST_FIELD = 64 * 1024;

	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

	private final ContactIntake intake;

	private final ContactBooks books;

	private final JsonMapper json;

	private final Scheduler threads = Schedulers.fromExecutorService(Executors.newVirtualThreadPerTaskExecutor(),
			"contact-import");

	CsvImport(ContactIntake intake, ContactBooks books, JsonMapper json) {
		this.intake = intake;
		this.books = books;
		this.json = json;
	}

	/**
	 * Adds or updates the contacts of a file. Lines that cannot be used are passed over
	 * and told.
	 * @param together whether all of it happens in one transaction, which is open
	 */
	Mono<ImportResult> read(Scope scope, UUID bookId, Flux<DataBuffer> body, boolean resubscribe, boolean together) {
		return this.books.find(scope, bookId).then(Mono.defer(() -> {
			ImportProgress progress = new ImportProgress();
			return records(body).switchOnFirst((first, records) -> {
				if (!first.hasValue()) {
					return first.isOnError() ? Flux.error(Objects.requireNonNull(first.getThrowable()))
							: Flux.error(INVALID.because("The file is empty"));
				}
				CsvHeader header = CsvHeader.read(Objects.requireNonNull(first.get()).getFields());
				CsvRows rows = new CsvRows(header, resubscribe, this.json);
				return records.skip(1).map(rows::read);
			})
				.buffer(PIECE)
				.concatMap((rows) -> keep(scope, bookId, progress, rows), 1)
				.then(Mono.fromSupplier(progress::done))
				.onErrorMap(Refused.class, (refused) -> progress.stopped(refused, together));
		}));
	}

	@PreDestroy
	void stop() {
		this.threads.dispose();
	}

	private Mono<Void> keep(Scope scope, UUID bookId, ImportProgress progress, List<CsvRows.Row> rows) {
		return Mono.just(progress.entries(rows))
			.filter((entries) -> !entries.isEmpty())
			.flatMap((entries) -> this.intake.add(scope, bookId, entries))
			.doOnNext(progress::count)
			.then();
	}

	private Flux<CsvRecord> records(Flux<DataBuffer> body) {
		return Flux.using(() -> Source.open(body), (source) -> Flux.fromIterable(source.reader()), Source::close)
			.onErrorMap((error) -> error instanceof CsvParseException || error instanceof UncheckedIOException,
					(error) -> INVALID
						.because("The file cannot be read on: it must be CSV in UTF-8, no field longer than "
								+ LONGEST_FIELD + " characters, every quote closed"))
			.subscribeOn(this.threads);
	}

	/** A file that comes in, and what reads it. */
	private record Source(InputStream body, CsvReader<CsvRecord> reader) {

		static Source open(Flux<DataBuffer> body) throws IOException {
			InputStream raw = DataBufferUtils.subscriberInputStream(body, AHEAD);
			InputStream bytes = new BufferedInputStream(raw);
			bytes.mark(BYTE_ORDER_MARK.length);
			if (!Arrays.equals(bytes.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
				bytes.reset();
			}
			// A file in another charset is refused: replaced letters would be stored
			// unseen.
			CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder()
				.onMalformedInput(CodingErrorAction.REPORT)
				.onUnmappableCharacter(CodingErrorAction.REPORT);
			return new Source(raw,
					CsvReader.builder()
						.allowExtraFields(true)
						.allowMissingFields(true)
						.allowUnclosedQuote(false)
						.maxBufferSize(LONGEST_FIELD)
						.ofCsvRecord(new InputStreamReader(bytes, strict)));
		}

		/**
		 * Closes the body alone: whoever cancels must not wait for the lock of a reader
		 * that waits for input.
		 */
		void close() {
			try {
				this.body.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
