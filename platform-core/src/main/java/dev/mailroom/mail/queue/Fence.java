package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.queue.Transitions.FencedRow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Passes the fence for many callers in one transaction: while one group is in progress,
 * further callers gather in the next. A second group passes beside the first if it is
 * large, or if the first may wait for a row lock, or if it is small and the first large.
 * A lease requested by two callers belongs to the first. A group continues when its
 * callers give up, therefore it has a thread of its own.
 */
@Component
class Fence {

	private static final Logger log = LoggerFactory.getLogger(Fence.class);

	/** Leases in a group, unless a single caller has more. */
	private static final int MAX_GROUP_SIZE = 256;

	private static final int MAX_GROUPS_IN_PROGRESS = 2;

	/** Leases that pass beside another group. */
	private static final int SECOND_GROUP_SIZE = 128;

	/** Leases so few that they pass beside a large group. */
	private static final int FEW = 4;

	private static final int LARGE_GROUP_SIZE = 16;

	/** Duration of a group, of which a row lock may be the cause. */
	private static final Duration SLOW_GROUP = Duration.ofMillis(100);

	/** Limit of the random delay of deliveries whose caller has given up. */
	private static final Duration CANCELLED_DELAY = Duration.ofSeconds(5);

	private static final Duration MIN_UNFENCE_INTERVAL = Duration.ofMillis(200);

	private static final Duration MAX_UNFENCE_INTERVAL = Duration.ofSeconds(5);

	private final JdbcTransactions transactions;

	private final Transitions transitions;

	private final MailStore mails;

	private final ContentFetcher contents;

	private final ContentBudget budget;

	private final QueueSettings settings;

	private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

	/** Leases of those that wait. */
	private int waitingLeases;

	/** In the order of their beginning. */
	private final List<Group> inProgress = new ArrayList<>();

	Fence(JdbcTransactions transactions, Transitions transitions, MailStore mails, ContentFetcher contents,
			ContentBudget budget, QueueSettings settings) {
		this.transactions = transactions;
		this.transitions = transitions;
		this.mails = mails;
		this.contents = contents;
		this.budget = budget;
		this.settings = settings;
	}

	/**
	 * The rows of valid leases, with the stored content of those that passed. If the
	 * caller gives up, its rows return to the queue.
	 * @param limit longest time to wait
	 * @throws IllegalStateException if the database does not reply in time, or the thread
	 * is interrupted
	 */
	Passed pass(List<Lease> leases, Duration limit) {
		Waiter caller = new Waiter(leases, this.budget.reservation());
		synchronized (this.waiting) {
			this.waiting.add(caller);
			this.waitingLeases += leases.size();
		}
		begin();
		if (limit.compareTo(SLOW_GROUP) > 0 && !caller.isAnsweredWithin(SLOW_GROUP)) {
			begin();
			return caller.await(limit.minus(SLOW_GROUP));
		}
		return caller.await(limit);
	}

	/** Begins a group if one may begin. */
	private void begin() {
		Group group;
		synchronized (this.waiting) {
			group = nextGroup();
		}
		if (group != null) {
			Thread.ofVirtual().name("fence").start(() -> run(group));
		}
	}

	/** Adds the content that is in the bucket. An error frees the memory. */
	Fenced complete(Passed passed) {
		try {
			return Fenced.of(passed.rows(), this.contents.complete(passed.mails(), passed.memory()),
					passed.memory()::close);
		}
		catch (RuntimeException | Error ex) {
			passed.memory().close();
			throw ex;
		}
	}

	/** Passes the fence with one group after another until no caller waits. */
	private void run(Group first) {
		for (Group group = first; group != null; group = groupAfter(group)) {
			pass(group.callers());
		}
	}

	private @Nullable Group groupAfter(Group done) {
		synchronized (this.waiting) {
			this.inProgress.remove(done);
			return nextGroup();
		}
	}

	/** Begins a group of those that wait; null if none waits or may pass. */
	private @Nullable Group nextGroup() {
		if (this.waiting.isEmpty() || !mayPass()) {
			return null;
		}
		Group group = new Group(new ArrayList<>(), System.nanoTime());
		int size = 0;
		while (!this.waiting.isEmpty() && size < MAX_GROUP_SIZE) {
			Waiter caller = this.waiting.remove();
			size += caller.leases.size();
			group.callers().add(caller);
		}
		this.waitingLeases -= size;
		this.inProgress.add(group);
		return group;
	}

	/** Whether those that wait may pass beside the groups in progress. */
	private boolean mayPass() {
		return this.inProgress.isEmpty() || (this.inProgress.size() < MAX_GROUPS_IN_PROGRESS
				&& (this.waitingLeases >= SECOND_GROUP_SIZE || this.inProgress.getFirst().isSlow()
						|| (this.waitingLeases <= FEW && this.inProgress.getFirst().isLarge())));
	}

	private void pass(List<Waiter> group) {
		Map<Lease, Waiter> callers = new HashMap<>();
		group.forEach((caller) -> caller.leases.forEach((lease) -> callers.putIfAbsent(key(lease), caller)));
		List<FencedRow> fenced = new ArrayList<>();
		try {
			Loaded passed = this.transactions.byIndex((jdbc) -> {
				fenced.addAll(this.transitions.fence(jdbc, List.copyOf(callers.keySet())));
				return load(jdbc, fenced, callers);
			});
			distribute(group, callers, passed);
		}
		catch (Throwable error) {
			group.forEach((caller) -> caller.fail(error));
			unfence(fenced);
		}
	}

	/** Loads the contents of the mails for which there is memory. */
	private Loaded load(JdbcClient jdbc, List<FencedRow> rows, Map<Lease, Waiter> callers) {
		Set<UUID> emails = new LinkedHashSet<>();
		List<FencedRow> admitted = new ArrayList<>();
		for (FencedRow row : rows) {
			Waiter caller = callers.get(row.presented());
			boolean passed = row.barred() == null;
			boolean room = passed && caller != null && caller.reserve(row);
			admitted.add((passed && !room) ? row.withoutRoom() : row);
			if (room) {
				emails.add(row.emailId());
			}
		}
		return new Loaded(admitted, emails.isEmpty() ? Map.of() : this.mails.load(jdbc, List.copyOf(emails)));
	}

	/** The lease without its route. */
	private static Lease key(Lease lease) {
		return new Lease(lease.delivery(), lease.epoch());
	}

	private void distribute(List<Waiter> group, Map<Lease, Waiter> callers, Loaded passed) {
		Map<Waiter, List<FencedRow>> shares = new HashMap<>();
		for (FencedRow row : passed.rows()) {
			Waiter caller = callers.get(row.presented());
			if (caller != null) {
				shares.computeIfAbsent(caller, (_) -> new ArrayList<>()).add(row);
			}
		}
		group.forEach((caller) -> {
			List<FencedRow> rows = shares.getOrDefault(caller, List.of());
			if (!caller.result.complete(passed.only(rows, caller.memory))) {
				caller.memory.close();
				unfence(rows);
			}
		});
	}

	/**
	 * Returns rows of one transaction to the queue, whether it was committed or not,
	 * until the database confirms it. Does not wait for that.
	 */
	private void unfence(List<FencedRow> rows) {
		List<FencedRow> passed = rows.stream().filter(FencedRow::passed).toList();
		if (!passed.isEmpty()) {
			Thread.ofVirtual().name("unfence").start(() -> unfenceUntilConfirmed(passed));
		}
	}

	private void unfenceUntilConfirmed(List<FencedRow> rows) {
		long end = System.nanoTime() + this.settings.dataLease().toNanos();
		Duration interval = MIN_UNFENCE_INTERVAL;
		while (true) {
			try {
				this.transactions.runByIndex((jdbc) -> this.transitions.unfence(jdbc, rows, CANCELLED_DELAY));
				return;
			}
			catch (RuntimeException ex) {
				if (System.nanoTime() - end >= 0) {
					log.warn("{} deliveries stay fenced until their hand-over expires: {}", rows.size(), ex.toString());
					return;
				}
			}
			try {
				Thread.sleep(interval);
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
				return;
			}
			interval = interval.multipliedBy(2);
			interval = (interval.compareTo(MAX_UNFENCE_INTERVAL) < 0) ? interval : MAX_UNFENCE_INTERVAL;
		}
	}

	/**
	 * Rows of valid leases of one caller.
	 *
	 * @param mails stored content of the mails whose rows passed; content in the bucket
	 * is fetched later, by each caller for itself
	 * @param memory the memory that the mails take
	 */
	record Passed(List<FencedRow> rows, Map<UUID, MailStore.LoadedMail> mails, ContentBudget.Reservation memory) {

		/** Leases that did not pass and whose deliveries are not to be settled. */
		List<Lease> refused(List<Lease> leases) {
			Set<UUID> answered = this.rows.stream()
				.filter((row) -> row.barred() != Fenced.Reason.HELD)
				.map(FencedRow::id)
				.collect(Collectors.toSet());
			return leases.stream().filter((lease) -> !answered.contains(lease.delivery())).toList();
		}

		/** Leases of mails that are held. */
		List<Lease> held() {
			return this.rows.stream()
				.filter((row) -> row.barred() == Fenced.Reason.HELD)
				.map(FencedRow::lease)
				.toList();
		}

	}

	/** Rows and mails of all callers of a group. */
	private record Loaded(List<FencedRow> rows, Map<UUID, MailStore.LoadedMail> mails) {

		/** The share of one caller. */
		Passed only(List<FencedRow> share, ContentBudget.Reservation memory) {
			Map<UUID, MailStore.LoadedMail> loaded = new HashMap<>();
			for (FencedRow row : share) {
				MailStore.LoadedMail mail = this.mails.get(row.emailId());
				if (mail != null && row.barred() == null) {
					loaded.put(row.emailId(), mail);
				}
			}
			return new Passed(share, loaded, memory);
		}

	}

	/**
	 * Callers that pass together.
	 *
	 * @param began on the clock of {@link System#nanoTime()}
	 */
	private record Group(List<Waiter> callers, long began) {

		boolean isSlow() {
			return System.nanoTime() - this.began >= SLOW_GROUP.toNanos();
		}

		boolean isLarge() {
			return this.callers.stream().mapToInt((caller) -> caller.leases.size()).sum() >= LARGE_GROUP_SIZE;
		}

	}

	/** A thread that waits in {@link #pass}; compared by identity. */
	private static final class Waiter {

		private final List<Lease> leases;

		private final CompletableFuture<Passed> result = new CompletableFuture<>();

		private final ContentBudget.Reservation memory;

		Waiter(List<Lease> leases, ContentBudget.Reservation memory) {
			this.leases = leases;
			this.memory = memory;
		}

		/** Whether there is memory for the content of a row. */
		boolean reserve(FencedRow row) {
			return this.memory.has(row.emailId()) || this.memory.take(row.accountId(), row.emailId(), row.bytes());
		}

		/** Waits for a time; whether there is a result or an error. */
		boolean isAnsweredWithin(Duration time) {
			try {
				this.result.get(time.toNanos(), TimeUnit.NANOSECONDS);
				return true;
			}
			catch (ExecutionException _) {
				return true;
			}
			catch (TimeoutException _) {
				return false;
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
				return true;
			}
		}

		Passed await(Duration limit) {
			try {
				return this.result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("The fence failed: " + ex.getCause(), ex.getCause());
			}
			catch (TimeoutException ex) {
				return resultOrCancelled(new IllegalStateException("The fence did not reply in time", ex));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return resultOrCancelled(new IllegalStateException("The thread was interrupted at the fence", ex));
			}
		}

		/** Gives up, unless the result has arrived meanwhile. */
		private Passed resultOrCancelled(IllegalStateException reason) {
			if (this.result.cancel(false)) {
				this.memory.close();
				throw reason;
			}
			return this.result.resultNow();
		}

		void fail(Throwable error) {
			this.memory.close();
			this.result.completeExceptionally(error);
		}

	}

}
