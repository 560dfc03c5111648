package dev.mailroom.domain;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Rechecks domains that were verified before. Owners are notified of missing records, and
 * can send again when the records are restored.
 */
@Service
public class DomainWatch {

	private static final Logger log = LoggerFactory.getLogger(DomainWatch.class);

	/** Domains taken together. After a crash, the rest of a batch waits an interval. */
	private static final int BATCH_SIZE = 64;

	/** Domains verified at a time, each with about eight records. */
	private static final int CONCURRENCY = 8;

	private final RecheckStore store;

	private final Verification verification;

	private final Transactions transactions;

	private final DomainSettings settings;

	DomainWatch(RecheckStore store, Verification verification, Transactions transactions, DomainSettings settings) {
		this.store = store;
		this.verification = verification;
		this.transactions = transactions;
		this.settings = settings;
	}

	/**
	 * Verifies a batch of the domains that are due.
	 * @return size of the batch; less than the maximum when no more are due
	 */
	public Mono<Long> recheck() {
		return this.transactions.acrossAccounts(this.store.takeDue(BATCH_SIZE, this.settings.domainRecheck()))
			.collectList()
			.flatMapIterable((due) -> due)
			.flatMap(this::verify, CONCURRENCY)
			.count();
	}

	/** Domains that lost their records, for which a notice must be sent. */
	public Flux<LostRecords> losses() {
		return this.transactions.acrossAccounts(this.store.losses(BATCH_SIZE, this.settings.domainGrace()));
	}

	/** Stores that a notice was sent. */
	public Mono<Void> noticeSent(LostRecords loss) {
		return this.transactions.in(Scope.of(loss.accountId()), this.store.clearNotice(loss));
	}

	/** The error of one domain does not stop the verification of the others. */
	private Mono<DueDomain> verify(DueDomain due) {
		return this.verification.verify(Scope.of(due.accountId()), due.id()).thenReturn(due).onErrorResume((error) -> {
			log.warn("Domain {} could not be verified and waits for its next check: {}", due.id(), error.toString());
			return Mono.just(due);
		});
	}

	/** A domain that is due for a check. */
	record DueDomain(UUID id, UUID accountId) {
	}

}
