package dev.mailroom.operation;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Transactions;
import dev.mailroom.audit.AuditEntry;
import dev.mailroom.audit.Audits;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The audit log as operators read it. */
@Service
public class AuditLog {

	private final Audits audits;

	private final Transactions transactions;

	AuditLog(Audits audits, Transactions transactions) {
		this.audits = audits;
		this.transactions = transactions;
	}

	/**
	 * The entries that match, newest first.
	 * @param before the id of the entry after which the list begins; null for the newest
	 */
	public Mono<List<AuditEntry>> list(Operator operator, AuditEntry.Filter filter, @Nullable UUID before, int limit) {
		return this.transactions.acrossAccounts(this.audits.newest(filter, before, limit));
	}

}
