package dev.mailroom.contact;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * Writes contacts of a book as CSV (RFC 4180) page by page. A slow reader holds neither a
 * transaction nor the whole book in memory.
 */
@Component
public class ContactExport {

	/** At most a megabyte: a contact has up to 10 000 characters. */
	private static final int PAGE_SIZE = 100;

	/** Bytes of a chunk. A server reads several ahead of a client that reads slowly. */
	private static final int MAX_CHUNK = 4096;

	private final Contacts contacts;

	private final JsonMapper json;

	ContactExport(Contacts contacts, JsonMapper json) {
		this.contacts = contacts;
		this.json = json;
	}

	/**
	 * The chunks of a file with the contacts that match.
	 * @throws dev.mailroom.Refused {@code Contact book not found}, before the first chunk
	 */
	public Mono<Flux<byte[]>> write(Scope scope, UUID bookId, Contact.Filter filter) {
		return read(scope, bookId, filter, new Page.Request(1, PAGE_SIZE)).map((first) -> {
			Flux<Page<Contact>> pages = Mono.just(first).expand((page) -> next(scope, bookId, filter, page));
			return Flux.concat(Mono.just(header()), pages.flatMapIterable(this::rows, 1));
		});
	}

	private Mono<Page<Contact>> next(Scope scope, UUID bookId, Contact.Filter filter, Page<Contact> page) {
		return (page.next() == null) ? Mono.empty()
				: read(scope, bookId, filter, new Page.Request(1, PAGE_SIZE, page.next()));
	}

	private Mono<Page<Contact>> read(Scope scope, UUID bookId, Contact.Filter filter, Page.Request request) {
		return this.contacts.read(scope, bookId, filter, request)
			.map((rows) -> Page.cut(rows, request, 0, Contact::cursor));
	}

	private static byte[] header() {
		return "email,first_name,last_name,subscribed,properties\r\n".getBytes(StandardCharsets.UTF_8);
	}

	private List<byte[]> rows(Page<Contact> page) {
		StringWriter text = new StringWriter();
		try (CsvWriter writer = CsvWriter.builder().build(text)) {
			page.items()
				.forEach((contact) -> writer.writeRecord(FormulaGuard.escape(contact.email()),
						FormulaGuard.escape(contact.firstName()), FormulaGuard.escape(contact.lastName()),
						String.valueOf(contact.subscribed()), this.json.writeValueAsString(contact.properties())));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		byte[] rows = text.toString().getBytes(StandardCharsets.UTF_8);
		return IntStream.iterate(0, (from) -> from < rows.length, (from) -> from + MAX_CHUNK)
			.mapToObj((from) -> Arrays.copyOfRange(rows, from, Math.min(rows.length, from + MAX_CHUNK)))
			.toList();
	}

}
