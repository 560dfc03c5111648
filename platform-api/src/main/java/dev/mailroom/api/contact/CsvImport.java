package dev.mailroom.api.contact;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.contact.Consent;
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
 * Imports a CSV file (RFC 4180) into a book while the request is being received. Only a
 * few chunks are in memory at a time, regardless of the size of the file. The parser
 * blocks on its input, therefore each import runs on its own virtual thread.
 */
@Component
class CsvImport {

	private static final Refusal BUSY = Refusal.unavailable("Service unavailable");

	/** Lines saved in one transaction. */
	private static final int CHUNK_LINES = 500;

	/** Buffers of the request that are read ahead of the parser. */
	private static final int PREFETCHED_BUFFERS = 4;

	/** The longest field, in characters. */
	private static final int MAX_FIELD_LENGTH = 64 * 1024;

	/** Limit on the fields of a line; those beyond the columns are reported. */
	private static final int MAX_FIELDS = 1000;

	/** Limit on a line, in characters. */
	private static final int MAX_LINE_LENGTH = 1024 * 1024;

	/** Limit on the lines read before they are saved, in characters. */
	private static final int MAX_CHUNK_LENGTH = 4 * MAX_LINE_LENGTH;

	/** Limit on the imports of an account at a time, in this process. */
	private static final int MAX_IMPORTS = 2;

	private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

	private final ContactIntake intake;

	private final ContactBooks books;

	private final JsonMapper json;

	private final Map<UUID, Integer> running = new ConcurrentHashMap<>();

	private final Scheduler threads = Schedulers.fromExecutorService(Executors.newVirtualThreadPerTaskExecutor(),
			"contact-import");

	CsvImport(ContactIntake intake, ContactBooks books, JsonMapper json) {
		this.intake = intake;
		this.books = books;
		this.json = json;
	}

	/**
	 * Adds or updates the contacts of a file. Invalid lines are skipped and reported.
	 * @param atomic whether the caller has opened one transaction for the whole import
	 */
	Mono<ImportResult> read(Scope scope, UUID bookId, Flux<DataBuffer> body, Options options, boolean atomic) {
		return Mono.using(() -> begin(scope.account()), (_) -> imported(scope, bookId, body, options, atomic),
				this::end);
	}

	private UUID begin(UUID account) {
		if (this.running.merge(account, 1, Integer::sum) > MAX_IMPORTS) {
			end(account);
			throw BUSY
				.because("At most " + MAX_IMPORTS + " imports of an account run at a time; nothing of this file "
						+ "was saved, send it again when one has ended")
				.retryAfter(RETRY_AFTER);
		}
		return account;
	}

	private void end(UUID account) {
		this.running.computeIfPresent(account, (_, count) -> (count > 1) ? count - 1 : null);
	}

	private Mono<ImportResult> imported(Scope scope, UUID bookId, Flux<DataBuffer> body, Options options,
			boolean atomic) {
		return this.books.find(scope, bookId).then(Mono.defer(() -> {
			ImportProgress progress = new ImportProgress();
			return records(body).switchOnFirst((first, records) -> {
				if (!first.hasValue()) {
					return first.isOnError() ? Flux.error(Objects.requireNonNull(first.getThrowable()))
							: Flux.error(Refusal.INVALID_REQUEST.because("The file is empty"));
				}
				CsvHeader header = CsvHeader.parse(Objects.requireNonNull(first.get()).getFields());
				CsvRows rows = new CsvRows(header, options.resubscribe(),
						new Consent.Origin(Consent.Source.IMPORT, options.consentStated()), this.json);
				return records.skip(1)
					.bufferUntil(new ChunkEnd())
					.map((chunk) -> chunk.stream().map(rows::parse).toList());
			})
				.concatMap((rows) -> save(scope, bookId, progress, rows), 1)
				.then(Mono.fromSupplier(progress::result))
				.onErrorMap(Refused.class, (refused) -> progress.stopped(refused, atomic));
		}));
	}

	@PreDestroy
	void stop() {
		this.threads.dispose();
	}

	private Mono<Void> save(Scope scope, UUID bookId, ImportProgress progress, List<CsvRows.Row> rows) {
		return Mono.just(progress.entries(rows))
			.filter((entries) -> !entries.isEmpty())
			.flatMap((entries) -> this.intake.add(scope, bookId, entries))
			.doOnNext(progress::add)
			.then();
	}

	private Flux<CsvRecord> records(Flux<DataBuffer> body) {
		return Flux.using(() -> Source.open(body), (source) -> Flux.fromIterable(source.reader()), Source::close)
			.onErrorMap((error) -> error instanceof CsvParseException || error instanceof UncheckedIOException,
					(error) -> Refusal.INVALID_REQUEST
						.because("The file cannot be parsed: it must be CSV in UTF-8, with every quote closed and no"
								+ " field longer than " + MAX_FIELD_LENGTH + " characters, no line longer than "
								+ MAX_LINE_LENGTH + " and no more than " + MAX_FIELDS + " fields in a line"))
			.subscribeOn(this.threads);
	}

	/**
	 * Options of an import.
	 *
	 * @param resubscribe whether to subscribe contacts even if they have unsubscribed
	 * @param consentStated whether the account states that the contacts have agreed
	 */
	record Options(boolean resubscribe, boolean consentStated) {
	}

	/** Ends a chunk after a number of lines or characters. */
	private static final class ChunkEnd implements Predicate<CsvRecord> {

		private int lines;

		private long length;

		@Override
		public boolean test(CsvRecord record) {
			this.lines++;
			this.length += record.getFields().stream().mapToLong(String::length).sum();
			boolean end = this.lines == CHUNK_LINES || this.length >= MAX_CHUNK_LENGTH;
			if (end) {
				this.lines = 0;
				this.length = 0;
			}
			return end;
		}

	}

	/** The body of a request and its parser. */
	record Source(InputStream body, CsvReader<CsvRecord> reader) {

		static Source open(Flux<DataBuffer> body) throws IOException {
			return open(DataBufferUtils.subscriberInputStream(body, PREFETCHED_BUFFERS));
		}

		static Source open(InputStream raw) throws IOException {
			InputStream bytes = new BufferedInputStream(raw);
			bytes.mark(BYTE_ORDER_MARK.length);
			if (!Arrays.equals(bytes.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
				bytes.reset();
			}
			// A file in another charset is refused rather than stored with replacement
			// characters.
			CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
				.onMalformedInput(CodingErrorAction.REPORT)
				.onUnmappableCharacter(CodingErrorAction.REPORT);
			return new Source(raw,
					CsvReader.builder()
						.extraFieldStrategy(FieldMismatchStrategy.IGNORE)
						.missingFieldStrategy(FieldMismatchStrategy.IGNORE)
						.allowUnclosedQuote(false)
						.maxBufferSize(MAX_FIELD_LENGTH)
						.build(CsvRecordHandler.of((handler) -> handler.maxFields(MAX_FIELDS)
							.maxFieldSize(MAX_FIELD_LENGTH)
							.maxRecordSize(MAX_LINE_LENGTH)), new InputStreamReader(bytes, decoder)));
		}

		/**
		 * Closes the body only. Closing the reader would wait for its lock while it
		 * blocks on input.
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
