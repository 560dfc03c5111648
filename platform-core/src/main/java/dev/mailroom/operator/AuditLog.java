package dev.mailroom.operator;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.mailroom.Page;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.AuditEntry;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The audit log for operators. */
@Service
public class AuditLog {

	/** Entries that an export reads at a time. */
	private static final int PAGE_SIZE = 200;

	private final Audits audits;

	private final Transactions transactions;

	AuditLog(Audits audits, Transactions transactions) {
		this.audits = audits;
		this.transactions = transactions;
	}

	/**
	 * The entries that match, newest first, in the order in which the page reads them,
	 * and one more than it holds if there are more.
	 */
	public Mono<List<AuditEntry>> list(Operator operator, AuditEntry.Filter filter, Page.Request page) {
		return this.transactions.listAcrossAccounts(this.audits.list(filter, page));
	}

	/**
	 * The entries of a time, oldest first, read page by page: a slow reader holds neither
	 * a transaction nor all of them in memory. The export is recorded before the first.
	 */
	public Mono<Flux<AuditEntry>> export(Operator operator, Instant from, Instant until) {
		AuditEntry.Filter filter = new AuditEntry.Filter(null, null, null, null, null, from, until);
		Flux<AuditEntry> entries = page(filter, null).expand(
				(found) -> (found.size() > PAGE_SIZE) ? page(filter, found.get(PAGE_SIZE - 1).cursor()) : Mono.empty())
			.concatMapIterable((found) -> found.subList(0, Math.min(found.size(), PAGE_SIZE)), 1);
		return this.transactions.acrossAccounts(this.audits.recordOperator(operator.scope(), null, Act.AUDIT_EXPORTED,
				"", null, Map.of("from", from.toString(), "until", until.toString())))
			.thenReturn(entries);
	}

	private Mono<List<AuditEntry>> page(AuditEntry.Filter filter, Page.@Nullable Cursor after) {
		return this.transactions
			.listAcrossAccounts(this.audits.list(filter, new Page.Request(1, PAGE_SIZE, after, 0, true)));
	}

}
