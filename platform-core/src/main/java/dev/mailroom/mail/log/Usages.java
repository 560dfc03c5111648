package dev.mailroom.mail.log;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Usage of accounts. */
@Service
public class Usages {

	private final UsageStore store;

	private final Transactions transactions;

	private final Clock clock;

	Usages(UsageStore store, Transactions transactions, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.clock = clock;
	}

	/** The current usage of an account. */
	public Mono<AccountUsage> of(Scope scope) {
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			return this.transactions.list(scope, this.store.counts(scope, now)).map((counts) -> usage(counts, now));
		});
	}

	private static AccountUsage usage(UsageStore.Counts counts, Instant now) {
		OffsetDateTime today = now.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS);
		Instant tomorrow = today.plusDays(1).toInstant();
		Instant nextMonth = today.withDayOfMonth(1).plusMonths(1).toInstant();
		return new AccountUsage(counts.plan(), new AccountUsage.Mails(counts.day(), counts.dailyLimit(), tomorrow),
				new AccountUsage.Mails(counts.month(), counts.monthlyLimit(), nextMonth),
				new AccountUsage.Held(counts.domains(), counts.domainLimit()),
				new AccountUsage.Held(counts.books(), counts.contactBookLimit()),
				new AccountUsage.Held(counts.contacts(), counts.contactLimit()));
	}

}
