package dev.mailroom.tlsreport;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Reports to the domains of recipients: the sessions that are counted for them, and when
 * and with which result they were sent. The methods of the worker block.
 */
@Service
public class OutgoingTlsReports {

	private static final Duration FIRST_DELAY = Duration.ofMinutes(15);

	private static final Duration LONGEST_DELAY = Duration.ofHours(4);

	private static final int MAX_DOUBLINGS = 4;

	private static final int MAX_TEXT = 500;

	private static final int SHOWN = 100;

	private final OutgoingTlsReportStore store;

	private final JdbcTransactions threads;

	private final Transactions transactions;

	OutgoingTlsReports(OutgoingTlsReportStore store, JdbcTransactions threads, Transactions transactions) {
		this.store = store;
		this.threads = threads;
		this.transactions = transactions;
	}

	/** Adds sessions to the counts of their days. */
	public void count(Map<TlsSessionGroup, Long> sessions) {
		this.threads.runAcrossAccounts((jdbc) -> this.store.count(jdbc, sessions));
	}

	/**
	 * Plans the reports of the days that are over, each at a time of its own within four
	 * hours, and removes what is old.
	 */
	public void plan() {
		this.threads.runAcrossAccounts((jdbc) -> {
			this.store.plan(jdbc);
			this.store.clean(jdbc);
		});
	}

	/**
	 * Takes the report that is due for the longest time; if the worker stops before
	 * {@link #begin}, it is due again later.
	 */
	public Optional<Due> next() {
		return this.threads.acrossAccounts((jdbc) -> {
			this.store.endInterrupted(jdbc);
			return this.store.next(jdbc);
		});
	}

	/** The sessions of a report with their numbers, in a fixed order. */
	public List<Counted> sessions(Due due) {
		return this.threads.acrossAccounts((jdbc) -> this.store.sessions(jdbc, due));
	}

	/**
	 * Records that a report is handed over now. If the worker stops before the result is
	 * known, the next attempt follows after half an hour.
	 * @return false if another worker was faster
	 */
	public boolean begin(Due due) {
		return this.threads.acrossAccounts((jdbc) -> this.store.begin(jdbc, due));
	}

	/**
	 * Records the result of an attempt. A report that was not accepted waits for the next
	 * one.
	 */
	public void record(Due due, Attempt attempt) {
		Duration delay = FIRST_DELAY.multipliedBy(1L << Math.clamp(due.attempts() - 1L, 0, MAX_DOUBLINGS));
		Duration again = (delay.compareTo(LONGEST_DELAY) > 0) ? LONGEST_DELAY : delay;
		this.threads.runAcrossAccounts((jdbc) -> {
			if (!this.store.record(jdbc, due, attempt, again)) {
				this.store.removeSessions(jdbc, due);
			}
		});
	}

	/** Forgets the report of a domain that asks for none. */
	public void forget(Due due) {
		this.threads.runAcrossAccounts((jdbc) -> {
			this.store.removeSessions(jdbc, due);
			this.store.remove(jdbc, due);
		});
	}

	/** The last reports, the newest first. */
	public Mono<List<SentTlsReport>> last() {
		return this.transactions.acrossAccounts(this.store.last(SHOWN).collectList());
	}

	/**
	 * A report that is due.
	 *
	 * @param attempts attempts with this one
	 * @param last whether no attempt follows
	 */
	public record Due(String domain, LocalDate day, int attempts, boolean last) {
	}

	/** Sessions of a group. */
	public record Counted(TlsSessionGroup group, long sessions) {
	}

	/** Results of an attempt. */
	public enum Result {

		/** The receiver has accepted the report. */
		SENT,
		/** The receiver has not; the next attempt follows, for a day. */
		FAILED,
		/**
		 * It is not known whether the receiver has accepted it; the next attempt has the
		 * same id, by which receivers know a report that they have.
		 */
		LOST

	}

	/**
	 * Result of an attempt.
	 *
	 * @param destination address or URL; null if it is not known
	 * @param error null for success
	 */
	public record Attempt(Result result, @Nullable String destination, @Nullable String error, long successful,
			long failed) {

		public Attempt {
			destination = cut(destination);
			error = cut(error);
		}

		private static @Nullable String cut(@Nullable String text) {
			return (text != null) ? text.substring(0, Math.min(text.length(), MAX_TEXT)).replace('\0', '\uFFFD') : null;
		}

	}

}
