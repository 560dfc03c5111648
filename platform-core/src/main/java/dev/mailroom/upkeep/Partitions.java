package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

import dev.mailroom.database.IdRange;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.SqlState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
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
	 * Creates missing partitions, drops expired months and merges the counts of months
	 * that have ended. A change whose lock is not free is left to the next call; no mail
	 * waits for it.
	 * @return number of partitions created and of months dropped
	 */
	public long maintain() {
		long changed = create() + drop(this.settings.metadata(), false) + drop(this.settings.body(), true);
		this.transactions.runAcrossAccounts((jdbc) -> this.store.mergeCounts(jdbc, month(SETTLING_TIME), BATCH_SIZE));
		return changed;
	}

	/** The state of the partitions, for metrics. */
	public State state() {
		LocalDate present = month(Duration.ZERO);
		return this.transactions.acrossAccounts((jdbc) -> {
			long ahead = missing(jdbc, present).stream()
				.findFirst()
				.map((first) -> ChronoUnit.MONTHS.between(present, first.month()) - 1)
				.orElse((long) MONTHS_AHEAD);
			return new State(ahead, this.store.strays(jdbc));
		});
	}

	private long create() {
		return this.transactions.acrossAccounts((jdbc) -> missing(jdbc, month(Duration.ZERO)))
			.stream()
			.filter((partition) -> attempt((jdbc) -> this.store.create(jdbc, partition)))
			.count();
	}

	private List<PartitionStore.Missing> missing(JdbcClient jdbc, LocalDate present) {
		return this.store.missing(jdbc, present, present.plusMonths(MONTHS_AHEAD));
	}

	private long drop(Duration age, boolean contentOnly) {
		return age.isZero() ? 0
				: this.transactions.acrossAccounts((jdbc) -> this.store.months(jdbc, month(age)))
					.stream()
					.filter((month) -> this.transactions.acrossAccounts((jdbc) -> this.store.isFinished(jdbc, month)))
					.filter((month) -> drop(month, contentOnly))
					.count();
	}

	private boolean drop(LocalDate month, boolean contentOnly) {
		UUID end = IdRange.lowest(month.plusMonths(1).atStartOfDay().toInstant(ZoneOffset.UTC));
		long events = contentOnly ? 0
				: this.transactions.<Long>byIndex((jdbc) -> this.store.removeLaterEvents(jdbc, end, BATCH_SIZE));
		boolean dropped = events < BATCH_SIZE && attempt((jdbc) -> this.store.drop(jdbc, month, contentOnly));
		if (dropped) {
			log.info("The {} of {} was dropped", contentOnly ? "content of mails" : "mail", month);
		}
		return dropped;
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
