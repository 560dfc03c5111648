package dev.mailroom.worker.send;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.mailroom.database.SqlState;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.observability.LoggedMail;
import dev.mailroom.worker.dispatch.LoopHealth;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Settles the outcome of each mail as it ends, in groups: while one group is settled, the
 * next one gathers, and for a short time longer if many mails end. If the database is
 * unavailable, it retries the same group; each sender thread waits for its own
 * settlements before its next batch, so that no further deliveries are fenced meanwhile.
 */
@Component
class Settler implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Settler.class);

	/** Settlements of a group in addition to the first. */
	private static final int MAX_GROUP_SIZE = 511;

	/** After a group of this size, the next one gathers. */
	private static final int BUSY_GROUP_SIZE = 8;

	/** Settlements that do not gather any longer. */
	private static final int FULL_GROUP_SIZE = 128;

	private static final Duration GATHERING = Duration.ofMillis(25);

	private static final Duration RETRY_DELAY = Duration.ofMillis(500);

	/** Tries of a group that fails in this process, before it is halved. */
	private static final int MAX_TRIES = 3;

	/**
	 * Classes of SQLSTATE by which the server refuses the data or the statement, so that
	 * another try fails as well.
	 */
	private static final Set<String> REFUSED = Set.of("0A", "21", "22", "23", "42", "54", "P0");

	/**
	 * Classes of SQLSTATE of transient errors: connection, read-only or stopped server,
	 * conflict, resources.
	 */
	private static final Set<String> TRANSIENT = Set.of("", "08", "25", "40", "53", "55", "57", "58");

	/** Tries of a group that fails with the same other state, before it is halved. */
	private static final int MAX_SAME_STATE = 10;

	/** Exceeds the time of one try. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(3);

	private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

	private final Outcomes outcomes;

	private final LoopHealth health;

	/** Tries of settlements; idle while no outcome waits. */
	private final LoopHealth.Heartbeat tries;

	private final BlockingQueue<Entry> waiting = new LinkedBlockingQueue<>();

	private volatile boolean stopping;

	private Thread loop = new Thread(this::run, "settler");

	Settler(Outcomes outcomes, LoopHealth health) {
		this.outcomes = outcomes;
		this.health = health;
		this.tries = health.watch("settler", MAX_SILENCE);
	}

	/**
	 * Queues a settlement.
	 * @param mail the ids for the log
	 * @return completes when the settlement is durable or written off
	 */
	CompletableFuture<Void> settle(Settlement settlement, LoggedMail mail) {
		Entry entry = new Entry(new Logged(settlement, mail), new CompletableFuture<>());
		this.waiting.add(entry);
		return entry.done();
	}

	@Override
	public void start() {
		this.stopping = false;
		this.loop = Thread.ofPlatform().name("settler").daemon().start(this::run);
	}

	/** Settles the waiting outcomes within a time limit, and then stops. */
	@Override
	public void stop() {
		this.stopping = true;
		this.waiting.add(new Entry(null, new CompletableFuture<>()));
		try {
			this.loop.join(SHUTDOWN_TIMEOUT);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		this.loop.interrupt();
	}

	@Override
	public boolean isRunning() {
		return this.loop.isAlive();
	}

	/** Starts before the sender threads and stops after them. */
	@Override
	public int getPhase() {
		return SenderThreads.PHASE - 1;
	}

	private void run() {
		try {
			boolean busy = false;
			while (!this.stopping || !this.waiting.isEmpty()) {
				List<Entry> group = new ArrayList<>(List.of(this.waiting.take()));
				if (busy && !this.stopping && this.waiting.size() < FULL_GROUP_SIZE) {
					TimeUnit.MILLISECONDS.sleep(GATHERING.toMillis());
				}
				this.waiting.drainTo(group, MAX_GROUP_SIZE);
				busy = group.size() >= BUSY_GROUP_SIZE;
				settleGroup(group);
				this.tries.idle();
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		catch (Throwable error) {
			this.health.ended("settler", error);
		}
	}

	private void settleGroup(List<Entry> group) throws InterruptedException {
		List<Logged> settlements = new ArrayList<>();
		for (Entry entry : group) {
			if (entry.settlement() != null) {
				settlements.add(entry.settlement());
			}
		}
		if (!settlements.isEmpty()) {
			settleAll(settlements, "");
		}
		group.forEach((entry) -> entry.done().complete(null));
	}

	/**
	 * Retries until the group is settled. A group that the server refuses, or that fails
	 * repeatedly in this process or with the same state, is halved until the offending
	 * settlement is found.
	 * @param lasting state with which a larger group failed repeatedly
	 */
	private void settleAll(List<Logged> settlements, String lasting) throws InterruptedException {
		@Nullable Throwable error = tryAll(settlements.stream().map(Logged::settlement).toList(), lasting);
		if (error != null && settlements.size() > 1) {
			settleAll(settlements.subList(0, settlements.size() / 2), SqlState.of(error));
			settleAll(settlements.subList(settlements.size() / 2, settlements.size()), SqlState.of(error));
		}
		else if (error != null) {
			try (LoggedMail.Scope _ = settlements.getFirst().mail().open()) {
				writeOff(settlements.getFirst().settlement(), error);
			}
		}
	}

	/** The error that another try would not change; null if the group is settled. */
	private @Nullable Throwable tryAll(List<Settlement> settlements, String lasting) throws InterruptedException {
		String last = lasting;
		int same = MAX_SAME_STATE;
		for (int tries = 1;;) {
			this.tries.beat();
			try {
				this.outcomes.settle(settlements);
				return null;
			}
			catch (RuntimeException | StackOverflowError | LinkageError ex) {
				String state = SqlState.of(ex);
				same = state.equals(last) ? same + 1 : 1;
				last = state;
				boolean lasts = same >= MAX_SAME_STATE && !TRANSIENT.contains(SqlState.classOf(state));
				if (lasts || (!isUnavailable(ex) && (isRefused(ex) || tries++ >= MAX_TRIES))) {
					return ex;
				}
				log.warn("{} outcomes could not be settled; retrying: {}", settlements.size(), ex.toString());
				TimeUnit.MILLISECONDS.sleep(RETRY_DELAY.toMillis());
			}
		}
	}

	/**
	 * Settles the outcome without the record of the attempt, or else fails the mail with
	 * a dead letter. A hand-over without a reply settles nothing and is only logged.
	 */
	private void writeOff(Settlement settlement, Throwable cause) throws InterruptedException {
		log.error("The outcome of delivery {} cannot be settled: {}", settlement.lease().delivery(),
				settlement.outcome().getClass().getSimpleName(), cause);
		if (settlement.outcome() instanceof Outcome.Unanswered) {
			return;
		}
		if (settlement.attempt() != null && tryAll(List.of(new Settlement(settlement.lease(), settlement.outcome())),
				SqlState.of(cause)) == null) {
			return;
		}
		String reason = "The outcome of the hand-over (" + settlement.outcome().getClass().getSimpleName()
				+ ") could not be recorded: " + cause.getClass().getSimpleName();
		Settlement failed = new Settlement(settlement.lease(), new Outcome.Failed(reason, true));
		if (tryAll(List.of(failed), SqlState.of(cause)) != null) {
			log.error("Delivery {} could not be written off; its lease will expire", settlement.lease().delivery());
		}
	}

	private static boolean isRefused(Throwable error) {
		return REFUSED.contains(SqlState.classOf(SqlState.of(error)));
	}

	/** Whether the group was not settled because of an error that may be transient. */
	private static boolean isUnavailable(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException || cause instanceof DataAccessException
					|| cause instanceof TransactionException || cause instanceof IOException) {
				return !isRefused(error);
			}
		}
		return false;
	}

	/** A settlement; null only wakes the loop. */
	private record Entry(@Nullable Logged settlement, CompletableFuture<Void> done) {
	}

	private record Logged(Settlement settlement, LoggedMail mail) {
	}

}
