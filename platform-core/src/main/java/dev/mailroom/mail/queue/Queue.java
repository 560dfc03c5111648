package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.queue.Transitions.LeasedRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * The delivery queue: one row for each mail and recipient that is not finished. All times
 * are PostgreSQL's. A lease lets a worker take a delivery; the fence, just before the
 * hand-over, excludes all other workers.
 */
@Service
public class Queue {

	private static final Logger log = LoggerFactory.getLogger(Queue.class);

	/** Deliveries that are marked as due in one turn. */
	private static final int MAX_MARKED = 5_000;

	/**
	 * Accounts of which due deliveries are marked in one turn while there is a backlog.
	 */
	private static final int MAX_VISITED = 1_000;

	/** Deliveries of such an account; the oldest of all are marked besides. */
	private static final int MAX_MARKED_OF_EACH = 20;

	/** Time after which a call begins no further batch of released deliveries. */
	private static final Duration RELEASE_TIME = Duration.ofSeconds(1);

	/** The last account of which deliveries were marked in a backlog. */
	private final AtomicReference<UUID> lastMarked = new AtomicReference<>(Turn.START);

	private final Transactions transactions;

	private final JdbcTransactions threads;

	private final Transitions transitions;

	private final Holds holds;

	private final Fence fence;

	private final ApplicationEventPublisher publisher;

	Queue(Transactions transactions, JdbcTransactions threads, Transitions transitions, Holds holds, Fence fence,
			ApplicationEventPublisher publisher) {
		this.transactions = transactions;
		this.threads = threads;
		this.transitions = transitions;
		this.holds = holds;
		this.fence = fence;
		this.publisher = publisher;
	}

	/**
	 * Leases due deliveries, account by account in the order of their ids; of each
	 * account transactional mail before campaigns, and what is due first before other
	 * mail.
	 * @param window maximum number of deliveries held by all workers together
	 * @param share maximum number of those that belong to one account of the heaviest
	 * plan; others have a smaller share, by the weight of their plan
	 * @param after the last account of the previous turn: this one starts behind it
	 */
	public Mono<Turn> lease(int window, int share, UUID after) {
		Mono<List<LeasedRow>> work = markDue()
			.then(Mono.defer(() -> this.transitions.lease(window, share, after).collectList()));
		return this.transactions.byIndex(work)
			.doOnNext((rows) -> Lease.Lateness.of(rows).forEach(this.publisher::publishEvent))
			.map((rows) -> Turn.of(rows, after));
	}

	/**
	 * Marks deliveries as due: the oldest, and if there are more of them than one turn
	 * may mark, also some of each account, so that none waits for the backlog of another.
	 */
	private Mono<Void> markDue() {
		return this.transitions.markDue(MAX_MARKED)
			.filter((marked) -> marked >= MAX_MARKED)
			.flatMap((_) -> this.transitions.markDue(this.lastMarked.get(), MAX_VISITED, MAX_MARKED_OF_EACH))
			.doOnNext(this.lastMarked::set)
			.then();
	}

	/**
	 * Returns deliveries with an expired lease to the queue. A hand-over that ended
	 * without a reply counts as ambiguous, because the mail may have arrived.
	 * @return number of deliveries returned
	 */
	public long recover() {
		return this.threads.<Integer>byIndex(this.transitions::recover);
	}

	/**
	 * Passes the fence with those deliveries that may be handed over now: the lease is
	 * the newest and has not expired, the account is not paused, the recipient is not
	 * suppressed and, if addressed through a contact book, still subscribed. Mail of a
	 * campaign that is not running, or to a destination that an operator holds, is held,
	 * and mail of a paused stream, or that is due later now, returns to the queue.
	 * Concurrent callers share a transaction. The contents are in memory until the result
	 * is closed.
	 * @param limit longest time to wait for the fence; deliveries that pass it later
	 * return to the queue
	 * @throws IllegalStateException if the database does not reply in time, or the thread
	 * is interrupted
	 */
	public Fenced fence(List<Lease> leases, Duration limit) {
		Fence.Passed passed = this.fence.pass(leases, limit);
		hold(passed.held());
		return this.fence.complete(passed);
	}

	/**
	 * Holds leased deliveries whose campaign is not running or whose destination is held;
	 * others only return to the queue. Errors are logged only: the leases expire, and the
	 * fence does not admit the mails.
	 */
	public void hold(List<Lease> leases) {
		if (leases.isEmpty()) {
			return;
		}
		try {
			this.threads.runByIndex((jdbc) -> this.transitions.hold(jdbc, leases));
		}
		catch (RuntimeException ex) {
			log.warn("{} deliveries were not held: {}", leases.size(), ex.toString());
		}
	}

	/**
	 * The deliveries that have passed the fence under these leases and that it would not
	 * let pass any more, because of a stop, a suppression or an unsubscription since.
	 */
	public Set<UUID> stopped(List<Lease> leases) {
		return Set.copyOf(this.threads.byIndex((jdbc) -> this.transitions.stopped(jdbc, leases)));
	}

	/**
	 * Makes deliveries due whose destination was released, in batches and for a limited
	 * time: the next call continues. A hold that has no more deliveries is removed.
	 * Errors are logged.
	 * @return number of deliveries made due
	 */
	public long releaseDestinations() {
		long end = System.nanoTime() + RELEASE_TIME.toNanos();
		try {
			return this.holds.ended().stream().mapToLong((destination) -> release(destination, end)).sum();
		}
		catch (RuntimeException ex) {
			log.warn("Held destinations could not be released: {}", ex.toString());
			return 0;
		}
	}

	private long release(String destination, long end) {
		long released = 0;
		try {
			int batch;
			do {
				batch = this.threads
					.<Integer>byIndex((jdbc) -> this.transitions.release(jdbc, destination, MAX_MARKED));
				released += batch;
			}
			while (batch > 0 && System.nanoTime() - end < 0);
			if (batch == 0) {
				this.holds.remove(destination);
			}
		}
		catch (RuntimeException ex) {
			log.warn("Mail to {} could not be released: {}", destination, ex.toString());
		}
		return released;
	}

	/**
	 * Returns leased deliveries to the queue, due after the delay, or without one as if
	 * they had never been leased. No event is recorded.
	 */
	public void returnToQueue(List<Lease> leases, Duration delay) {
		if (!leases.isEmpty()) {
			this.threads.runByIndex((jdbc) -> this.transitions.returnToQueue(jdbc, leases, delay));
		}
	}

	/**
	 * Number of deliveries in each phase and stream, and how long the oldest has been
	 * due. If many deliveries wait, their number is estimated from the first of them.
	 */
	public Flux<Depth> depth() {
		return this.transactions.byIndex(this.transitions.depth().collectList()).flatMapIterable((depths) -> depths);
	}

	/**
	 * Leases of one pass over the accounts.
	 *
	 * @param last account behind which the next turn starts; the nil id if this turn
	 * reached the last account
	 * @param full whether the turn ended because the window is full
	 * @param empty whether the queue had no rows
	 */
	public record Turn(List<Lease> leases, UUID last, boolean full, boolean empty) {

		/** Sorts before all accounts. */
		public static final UUID START = new UUID(0, 0);

		/** A turn that has not been taken. */
		public static final Turn NONE = new Turn(List.of(), START, false, false);

		static Turn of(List<LeasedRow> rows, UUID after) {
			List<Lease> leases = new ArrayList<>();
			// Ids are compared as PostgreSQL does: by unsigned bytes.
			UUID last = after;
			for (LeasedRow row : rows) {
				if (row.id() != null && row.epoch() != null && row.accountId() != null) {
					leases.add(new Lease(row.id(), row.epoch(), row.route(row.accountId())));
					last = (row.accountId().toString().compareTo(last.toString()) > 0) ? row.accountId() : last;
				}
			}
			boolean full = rows.isEmpty() || leases.size() >= rows.getFirst().places();
			return new Turn(List.copyOf(leases), full ? last : START, full, !rows.isEmpty() && rows.getFirst().empty());
		}

	}

	/**
	 * Number of deliveries, and how long the oldest has been due.
	 *
	 * @param phase paused (of a paused account), scheduled, due, leased or in_data
	 * @param stream transactional or campaign
	 */
	public record Depth(String phase, String stream, long count, double oldestSeconds) {
	}

}
