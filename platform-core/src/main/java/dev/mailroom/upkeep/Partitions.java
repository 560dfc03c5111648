package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

import dev.mailroom.database.IdRange;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.SqlState;
import dev.mailroom.upkeep.PartitionStore.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Partitions of mails, content, deliveries, attempts, events and webhook calls, by month
 * or by day. They are created ahead: a worker that is down for weeks leaves none missing.
 * Rows of a time without a partition are stored as well. A partition is dropped when all
 * of it is older than its retention period. Rows that {@link Retention} removed before
 * are no longer in it; the drop bounds the time of their removal.
 */
@Service
public class Partitions {

	private static final Logger log = LoggerFactory.getLogger(Partitions.class);

	/** Months after the present one that have partitions. */
	private static final int MONTHS_AHEAD = 3;

	/** Months after a day that have partitions of days. */
	private static final int MONTHS_OF_DAYS_AHEAD = 1;

	/** Rows removed or merged by one transaction. */
	private static final int BATCH_SIZE = 5000;

	/** Time after which a call removes no more later events. */
	private static final Duration MAX_TIME = Duration.ofSeconds(15);

	/** Time after the end of a month in which most of its mails are settled. */
	private static final Duration SETTLING_TIME = Duration.ofDays(7);

	/** The same for a day, which has as many counts as a month. */
	private static final Duration SETTLING_TIME_OF_DAY = Duration.ofDays(1);

	private final PartitionStore store;

	private final JdbcTransactions transactions;

	private final RetentionSettings settings;

	private final Clock clock;

	Partitions(PartitionStore store, JdbcTransactions transactions, RetentionSettings settings, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Creates missing partitions, drops expired ones and merges the counts of times that
	 * have ended. A change whose lock is not free is left to the next call; no mail waits
	 * for it.
	 * @return number of partitions created, and of months or days dropped
	 */
	public long maintain() {
		if (this.settings.byDay()) {
			divide();
		}
		long changed = create() + drop(this.settings.metadata(), Kind.CALL) + drop(this.settings.metadata(), Kind.MAIL)
				+ drop(this.settings.body(), Kind.CONTENT);
		LocalDate month = day(SETTLING_TIME).withDayOfMonth(1);
		LocalDate day = day(SETTLING_TIME_OF_DAY);
		this.transactions.runAcrossAccounts((jdbc) -> {
			this.store.mergeCounts(jdbc, month, day, BATCH_SIZE);
			this.store.mergeCallCounts(jdbc, month, day, BATCH_SIZE);
		});
		return changed;
	}

	/** The state of the partitions, for metrics. */
	public State state() {
		LocalDate today = day(Duration.ZERO);
		return this.transactions.acrossAccounts((jdbc) -> {
			long ahead = missing(jdbc, today).stream()
				.findFirst()
				.map((missing) -> monthsAhead(today, missing))
				.orElse((long) (this.settings.byDay() ? MONTHS_OF_DAYS_AHEAD : MONTHS_AHEAD));
			return new State(ahead, this.store.strays(jdbc));
		});
	}

	private static long monthsAhead(LocalDate today, PartitionStore.Missing missing) {
		return missing.isDay()
				? ChronoUnit.MONTHS.between(today, missing.first()) - (missing.first().equals(today) ? 1 : 0)
				: ChronoUnit.MONTHS.between(today.withDayOfMonth(1), missing.first()) - 1;
	}

	/** Lets the days of the next months have partitions, unless they do. */
	private void divide() {
		LocalDate month = day(Duration.ZERO).plusDays(2).withDayOfMonth(1).plusMonths(1);
		boolean done = this.transactions.acrossAccounts((jdbc) -> this.store.isByDay(jdbc, month));
		if (!done && attempt((jdbc) -> this.store.divide(jdbc, month))) {
			log.info("Days have partitions from {} on", month);
		}
	}

	private long create() {
		return this.transactions.acrossAccounts((jdbc) -> missing(jdbc, day(Duration.ZERO)))
			.stream()
			.filter((partition) -> attempt((jdbc) -> this.store.create(jdbc, partition)))
			.count();
	}

	private List<PartitionStore.Missing> missing(JdbcClient jdbc, LocalDate today) {
		return this.store.missing(jdbc, this.settings.byDay(), today);
	}

	private long drop(Duration age, Kind kind) {
		return age.isZero() ? 0
				: this.transactions.acrossAccounts((jdbc) -> this.store.ends(jdbc, kind, day(age)))
					.stream()
					.filter((end) -> this.transactions.acrossAccounts((jdbc) -> this.store.isFinished(jdbc, end, kind)))
					.filter((end) -> drop(end, kind))
					.count();
	}

	private boolean drop(LocalDate end, Kind kind) {
		boolean dropped = (kind != Kind.MAIL || removeLaterEvents(end))
				&& attempt((jdbc) -> this.store.drop(jdbc, end, kind));
		if (dropped) {
			log.info("Partitions of kind {} up to {} were dropped", kind, end.minusDays(1));
		}
		return dropped;
	}

	/** Removes events that are younger than the partition of their mail, in batches. */
	private boolean removeLaterEvents(LocalDate end) {
		UUID lowest = IdRange.lowest(end.atStartOfDay().toInstant(ZoneOffset.UTC));
		Instant limit = this.clock.instant().plus(MAX_TIME);
		long removed;
		do {
			removed = this.transactions.<Long>byIndex((jdbc) -> this.store.removeLaterEvents(jdbc, lowest, BATCH_SIZE));
		}
		while (removed == BATCH_SIZE && this.clock.instant().isBefore(limit));
		return removed < BATCH_SIZE;
	}

	/** Runs a change in a transaction; false if nothing changed or a lock is held. */
	private boolean attempt(Predicate<JdbcClient> change) {
		try {
			return this.transactions.acrossAccounts(change::test);
		}
		catch (RuntimeException ex) {
			if (SqlState.of(ex).equals(SqlState.LOCK_NOT_AVAILABLE)) {
				log.debug("A partition is in use", ex);
				return false;
			}
			throw ex;
		}
	}

	/** The day (UTC) that is a time ago. A day before it has ended this time ago. */
	private LocalDate day(Duration age) {
		return LocalDate.ofInstant(this.clock.instant().truncatedTo(ChronoUnit.DAYS).minus(age), ZoneOffset.UTC);
	}

	/**
	 * The state of the partitions.
	 *
	 * @param monthsAhead months after the present one for which each table has a
	 * partition, at most three; with partitions by day months after the present day, at
	 * most one; -1 if one of the present time is missing
	 * @param strayTables tables with rows whose ids are outside of all partitions
	 */
	public record State(long monthsAhead, int strayTables) {
	}

}
