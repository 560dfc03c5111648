package dev.mailroom.operator;

import java.util.List;

import dev.mailroom.Page;
import dev.mailroom.audit.AuditEntry;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The audit log for operators. */
@Service
public class AuditLog {

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

}
