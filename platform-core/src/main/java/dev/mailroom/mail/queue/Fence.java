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
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.database.Transactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Passes the fence for many callers in one transaction: while the maximum number of
 * groups is in progress, further callers gather in the next group. A lease requested by
 * two callers belongs to the first. A group continues when its callers cancel, therefore
 * this class subscribes to it.
 */
@Component
class Fences {

	private static final Logger log = LoggerFactory.getLogger(Fences.class);

	/** Leases in a group, unless a single caller has more. */
	private static final int MAX_GROUP_SIZE = 256;

	private static final int MAX_GROUPS_IN_PROGRESS = 2;

	/**
	 * Exceeds the statement timeout, so that it only ends groups of a dead connection.
	 */
	private static final Duration FENCE_TIMEOUT = Duration.ofSeconds(45);

	/** Limit of the random delay of deliveries whose caller has ended. */
	private static final Duration CANCELLED_DELAY = Duration.ofSeconds(5);

	private static final Retry UNFENCE_RETRY = Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(200))
		.maxBackoff(Duration.ofSeconds(5));

	private final Transactions transactions;

	private final QueueStore store;

	private final MailStore mails;

	private final QueueSettings settings;

	private final RetrySchedule retries;

	private final ContentBudget budget;

	private final ArrayDeque<Caller> waiting = new ArrayDeque<>();

	private int inProgress;

	Fences(Transactions transactions, QueueStore store, MailStore mails, QueueSettings settings, RetrySchedule retries,
			ContentBudget budget) {
		this.transactions = transactions;
		this.store = store;
		this.mails = mails;
		this.settings = settings;
		this.retries = retries;
		this.budget = budget;
	}

	/** The rows of valid leases, with the stored content of those that passed. */
	Mono<Fenced.Passed> pass(List<Lease> leases) {
		return Mono.defer(() -> {
			Caller caller = new Caller(leases, this.budget.reservation());
			synchronized (this.waiting) {
				this.waiting.add(caller);
			}
			startGroup();
			return caller.result.asMono().doOnCancel(caller::cancel);
		});
	}

	private void startGroup() {
		List<Caller> group = nextGroup();
		if (!group.isEmpty()) {
			Map<Lease, Caller> callers = new HashMap<>();
			group.forEach((caller) -> caller.leases.forEach((lease) -> callers.putIfAbsent(key(lease), caller)));
			AtomicReference<List<FencedRow>> fenced = new AtomicReference<>(List.of());
			Mono<Group> work = Mono
				.defer(() -> this.store.fence(List.copyOf(callers.keySet()), this.settings.dataLease(), this.retries)
					.collectList())
				.doOnNext(fenced::set)
				.flatMap((rows) -> load(rows, callers));
			this.transactions.byIndex(work)
				.timeout(FENCE_TIMEOUT)
				.doFinally((_) -> endGroup())
				.subscribe((passed) -> distribute(group, callers, passed), (error) -> {
					group.forEach((caller) -> caller.fail(error));
					unfence(fenced.get());
				});
		}
	}

	private List<Caller> nextGroup() {
		List<Caller> group = new ArrayList<>();
		synchronized (this.waiting) {
			int size = 0;
			while (this.inProgress < MAX_GROUPS_IN_PROGRESS && !this.waiting.isEmpty() && size < MAX_GROUP_SIZE) {
				Caller caller = this.waiting.remove();
				size += caller.leases.size();
				group.add(caller);
			}
			this.inProgress += group.isEmpty() ? 0 : 1;
		}
		return group;
	}

	private void endGroup() {
		synchronized (this.waiting) {
			this.inProgress--;
		}
		startGroup();
	}

	/** Loads the contents of the mails for which there is memory. */
	private Mono<Group> load(List<FencedRow> rows, Map<Lease, Caller> callers) {
		Set<UUID> emails = new LinkedHashSet<>();
		List<FencedRow> admitted = new ArrayList<>();
		for (FencedRow row : rows) {
			Caller caller = callers.get(row.lease());
			boolean passed = row.barred() == null;
			boolean room = passed && caller != null && caller.reserve(row);
			admitted.add((passed && !room) ? row.withoutRoom() : row);
			if (room) {
				emails.add(row.emailId());
			}
		}
		return emails.isEmpty() ? Mono.just(new Group(admitted, Map.of()))
				: this.mails.load(List.copyOf(emails)).map((loaded) -> new Group(admitted, loaded));
	}

	/** The lease without its route. */
	private static Lease key(Lease lease) {
		return new Lease(lease.delivery(), lease.epoch());
	}

	private void distribute(List<Caller> group, Map<Lease, Caller> callers, Group passed) {
		Map<Caller, List<FencedRow>> shares = new HashMap<>();
		for (FencedRow row : passed.rows()) {
			Caller caller = callers.get(row.lease());
			if (caller != null) {
				shares.computeIfAbsent(caller, (_) -> new ArrayList<>()).add(row);
			}
		}
		group.forEach((caller) -> {
			List<FencedRow> rows = shares.getOrDefault(caller, List.of());
			if (caller.cancelled) {
				caller.memory.close();
				unfence(rows);
			}
			else {
				caller.result.tryEmitValue(passed.only(rows, caller.memory));
			}
		});
	}

	/**
	 * Returns rows of one transaction to the queue, whether it was committed or not,
	 * until the database confirms it.
	 */
	private void unfence(List<FencedRow> rows) {
		if (!rows.isEmpty()) {
			Mono.defer(() -> this.transactions.byIndex(this.store.unfence(rows, CANCELLED_DELAY)))
				.timeout(FENCE_TIMEOUT)
				.retryWhen(UNFENCE_RETRY)
				.timeout(this.settings.dataLease())
				.subscribe((_) -> {
				}, (error) -> log.warn("{} deliveries stay fenced until their leases expire: {}", rows.size(),
						error.toString()));
		}
	}

	/** Rows and mails of all callers of a group. */
	private record Group(List<FencedRow> rows, Map<UUID, LoadedMail> mails) {

		/** The share of one caller. */
		Fenced.Passed only(List<FencedRow> share, ContentBudget.Reservation memory) {
			Map<UUID, LoadedMail> loaded = new HashMap<>();
			for (FencedRow row : share) {
				LoadedMail mail = this.mails.get(row.emailId());
				if (mail != null && row.barred() == null) {
					loaded.put(row.emailId(), mail);
				}
			}
			return new Fenced.Passed(share, loaded, memory);
		}

	}

	/** A subscriber of {@link #pass}; compared by identity. */
	private static final class Caller {

		private final List<Lease> leases;

		private final Sinks.One<Fenced.Passed> result = Sinks.one();

		private final ContentBudget.Reservation memory;

		private volatile boolean cancelled;

		Caller(List<Lease> leases, ContentBudget.Reservation memory) {
			this.leases = leases;
			this.memory = memory;
		}

		/** Whether there is memory for the content of a row. */
		boolean reserve(FencedRow row) {
			return this.memory.has(row.emailId()) || this.memory.take(row.accountId(), row.emailId(), row.bytes());
		}

		void fail(Throwable error) {
			this.memory.close();
			this.result.tryEmitError(error);
		}

		void cancel() {
			this.cancelled = true;
			this.memory.close();
		}

	}

}
