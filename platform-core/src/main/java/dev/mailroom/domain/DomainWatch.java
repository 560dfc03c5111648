package dev.mailroom.domain;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Looks again at domains that were verified once: whoever takes a record away is told
 * before others are, and whoever puts it back sends again.
 */
@Service
public class DomainWatch {

	private static final Logger log = LoggerFactory.getLogger(DomainWatch.class);

	/** Domains taken together; what a crash leaves of them waits for its next turn. */
	private static final int BATCH = 64;

	/** Domains looked up at a time, each with some eight records. */
	private static final int AT_ONCE = 8;

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
	 * Looks at some of the domains whose turn it is.
	 * @return how many; fewer than a batch where nobody's turn is left
	 */
	public Mono<Long> look() {
		return this.transactions.acrossAccounts(this.store.take(BATCH, this.settings.domainRecheck()))
			.collectList()
			.flatMapIterable((turns) -> turns)
			.flatMap(this::look, AT_ONCE)
			.count();
	}

	/** Domains that lost their records, and whose owners do not know it yet. */
	public Flux<LostRecords> losses() {
		return this.transactions.acrossAccounts(this.store.losses(BATCH, this.settings.domainGrace()));
	}

	/** Keeps that a loss was told. */
	public Mono<Void> told(LostRecords loss) {
		return this.transactions.in(Scope.of(loss.accountId()), this.store.told(loss));
	}

	/** One domain's trouble is none of the others'. */
	private Mono<Turn> look(Turn turn) {
		return this.verification.verify(Scope.of(turn.accountId()), turn.id())
			.thenReturn(turn)
			.onErrorResume((error) -> {
				log.warn("Domain {} could not be looked at and waits for its next turn: {}", turn.id(),
						error.toString());
				return Mono.just(turn);
			});
	}

	/** A domain whose turn it is. */
	record Turn(UUID id, UUID accountId) {
	}

}
