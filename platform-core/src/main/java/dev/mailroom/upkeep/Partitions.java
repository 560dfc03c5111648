package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import dev.mailroom.database.IdRange;
import dev.mailroom.database.SqlState;
import dev.mailroom.database.Transactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Monthly partitions of mails, content, deliveries, attempts and events. They are created
 * months ahead: a worker that is down for weeks leaves none missing. Rows of a month
 * without a partition are stored as well. A month is dropped when all of it is older than
 * its retention period. Rows that {@link Retention} removed before are no longer in it;
 * the drop bounds the time of their removal.
 */
@Service
public class Partitions {

	private static final Logger log = LoggerFactory.getLogger(Partitions.class);

	/** Months after the present one that have partitions. */
	private static final int MONTHS_AHEAD = 3;

	/** Rows removed or merged by one transaction. */
	private static final int BATCH_SIZE = 5000;

	/** Time after the end of a month in which most of its mails are settled. */
	private static final Duration SETTLING_TIME = Duration.ofDays(7);

	private final PartitionStore store;

	private final Transactions transactions;

	private final RetentionSettings settings;

	private final Clock clock;

	Partitions(PartitionStore store, Transactions transactions, RetentionSettings settings, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Creates missing partitions, drops expired months and merges the counts of months
	 * that have ended. A change whose lock is not free is left to the next call; no mail
	 * waits for it.
	 * @return number of partitions created and of months dropped
	 */
	public Mono<Long> maintain() {
		return Flux.concat(create(), drop(this.settings.metadata(), false), drop(this.settings.body(), true))
			.reduce(0L, Long::sum)
			.delayUntil(
					(_) -> this.transactions.acrossAccounts(this.store.mergeCounts(month(SETTLING_TIME), BATCH_SIZE)));
	}

	/** The state of the partitions, for metrics. */
	public Mono<State> state() {
		return Mono.defer(() -> {
			LocalDate present = month(Duration.ZERO);
			Mono<Long> ahead = missing(present).next()
				.map((first) -> ChronoUnit.MONTHS.between(present, first.month()) - 1)
				.defaultIfEmpty((long) MONTHS_AHEAD);
			return this.transactions.acrossAccounts(ahead.zipWith(this.store.strays(), State::new));
		});
	}

	private Mono<Long> create() {
		return Flux.defer(() -> this.transactions.acrossAccounts(missing(month(Duration.ZERO))))
			.collectList()
			.flatMapIterable((missing) -> missing)
			.concatMap((partition) -> attempt(this.store.create(partition)))
			.count();
	}

	private Flux<PartitionStore.Missing> missing(LocalDate present) {
		return this.store.missing(present, present.plusMonths(MONTHS_AHEAD));
	}

	private Mono<Long> drop(Duration age, boolean contentOnly) {
		return age.isZero() ? Mono.just(0L)
				: Flux.defer(() -> this.transactions.acrossAccounts(this.store.months(month(age))))
					.collectList()
					.flatMapIterable((months) -> months)
					.concatMap((month) -> this.transactions.acrossAccounts(this.store.isFinished(month))
						.filter(Boolean::booleanValue)
						.flatMap((_) -> drop(month, contentOnly)))
					.count();
	}

	private Mono<Boolean> drop(LocalDate month, boolean contentOnly) {
		Mono<Long> events = contentOnly ? Mono.just(0L) : this.transactions.byIndex(this.store.removeLaterEvents(
				IdRange.lowest(month.plusMonths(1).atStartOfDay().toInstant(ZoneOffset.UTC)), BATCH_SIZE));
		return events.filter((removed) -> removed < BATCH_SIZE)
			.flatMap((_) -> attempt(this.store.drop(month, contentOnly)))
			.doOnNext((_) -> log.info("The {} of {} was dropped", contentOnly ? "content of mails" : "mail", month));
	}

	/** Runs a change in a transaction; empty if nothing changed or a lock is held. */
	private Mono<Boolean> attempt(Mono<Boolean> change) {
		return this.transactions.acrossAccounts(change).filter(Boolean::booleanValue).onErrorResume((error) -> {
			if (SqlState.of(error).equals(SqlState.LOCK_NOT_AVAILABLE)) {
				log.debug("A partition is in use", error);
				return Mono.empty();
			}
			return Mono.error(error);
		});
	}

	/**
	 * The month of the day that is a time ago. A month before it has ended this time ago.
	 */
	private LocalDate month(Duration age) {
		return LocalDate.ofInstant(this.clock.instant().truncatedTo(ChronoUnit.DAYS).minus(age), ZoneOffset.UTC)
			.withDayOfMonth(1);
	}

	/**
	 * The state of the partitions.
	 *
	 * @param monthsAhead months after the present one for which each table has a
	 * partition, at most three; -1 if one of the present month is missing
	 * @param strayTables tables with rows whose ids are outside of all months
	 */
	public record State(long monthsAhead, int strayTables) {
	}

}
