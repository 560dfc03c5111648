package dev.mailroom.closure;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.closure.AccountExportStore.Kind;
import dev.mailroom.closure.AccountExportStore.Line;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Writes what an account has as an archive: a ZIP file with lines of JSON for each kind
 * of data. It is read page by page, so that a slow reader holds neither a transaction nor
 * all of it in memory. Nothing of it is stored.
 */
@Service
public class AccountExport {

	private static final int PAGE_SIZE = 200;

	private final AccountExportStore store;

	private final Audits audits;

	private final Transactions transactions;

	AccountExport(AccountExportStore store, Audits audits, Transactions transactions) {
		this.store = store;
		this.audits = audits;
		this.transactions = transactions;
	}

	/**
	 * The chunks of the archive of an account. The export is recorded before the first.
	 */
	public Mono<Flux<byte[]>> write(Scope scope) {
		return this.transactions.in(scope, this.audits.record(scope, Act.ACCOUNT_EXPORTED, "", Map.of()))
			.thenReturn(Flux.defer(() -> {
				Archive archive = new Archive();
				return Flux.fromArray(Kind.values())
					.concatMap((kind) -> pages(scope, kind).map((lines) -> archive.add(kind, lines)), 1)
					.concatWith(Mono.fromCallable(archive::end));
			}));
	}

	private Flux<List<Line>> pages(Scope scope, Kind kind) {
		return page(scope, kind, null)
			.expand((lines) -> (lines.size() < PAGE_SIZE) ? Mono.empty() : page(scope, kind, lines.getLast()));
	}

	private Mono<List<Line>> page(Scope scope, Kind kind, @Nullable Line after) {
		Mono<List<Line>> page = this.store.page(scope, kind, after, PAGE_SIZE).collectList();
		return kind.isOfPeople() ? this.transactions.listAcrossAccounts(page) : this.transactions.list(scope, page);
	}

	/** A ZIP file that is handed on as it grows. */
	private static final class Archive {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		private final ZipOutputStream zip = new ZipOutputStream(this.bytes, StandardCharsets.UTF_8);

		private @Nullable Kind open;

		byte[] add(Kind kind, List<Line> lines) {
			try {
				if (this.open != kind) {
					this.zip.putNextEntry(new ZipEntry(kind.fileName()));
					this.open = kind;
				}
				for (Line line : lines) {
					this.zip.write((line.json() + "\n").getBytes(StandardCharsets.UTF_8));
				}
				return taken();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		byte[] end() throws IOException {
			this.zip.close();
			return taken();
		}

		private byte[] taken() {
			byte[] taken = this.bytes.toByteArray();
			this.bytes.reset();
			return taken;
		}

	}

}
