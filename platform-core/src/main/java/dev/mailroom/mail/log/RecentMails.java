package dev.mailroom.mail.log;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Counts of the mails that an account had accepted in the last hours. */
@Service
public class RecentMails {

	private final RecentMailStore store;

	private final Transactions transactions;

	private final Clock clock;

	RecentMails(RecentMailStore store, Transactions transactions, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * Counts of the last hours of UTC with the current one.
	 * @param domainId the only domain; null for all of the account
	 */
	public Mono<RecentFigures> figures(Scope scope, @Nullable UUID domainId, int hours) {
		return Mono.defer(() -> {
			Instant since = this.clock.instant().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(hours - 1L));
			return this.transactions.list(scope, this.store.counts(scope, domainId, since).collectList())
				.map((counts) -> RecentFigures.of(since, hours, counts));
		});
	}

}
