package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import dev.mailroom.BulkShare;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Queue of the requests that wait for their commit, bounded in mails and bytes. An
 * account may fill half of it; a quarter is reserved for accounts that hold little, so
 * that a few busy accounts cannot keep the others out. A group takes from all accounts in
 * turn, either single mails or batches. While both wait, they are committed at the same
 * time: a single mail does not wait for the rows of a batch. Batches pause between groups
 * while they slow the single mails down.
 */
final class CommitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition filled = this.lock.newCondition();

	private final WaitingRequest.Turns singles = new WaitingRequest.Turns();

	private final WaitingRequest.Turns batches = new WaitingRequest.Turns();

	private final Map<UUID, WaitingRequest.Load> loads = new HashMap<>();

	private final WaitingRequest.Load total = new WaitingRequest.Load();

	private final Settings settings;

	/** Share of the time in which batches are committed. */
	private final BulkShare bulk = new BulkShare(Settings.MIN_BATCH_SHARE);

	/** End of the pause of batches, on the clock of {@link System#nanoTime()}. */
	private long batchesFrom = System.nanoTime();

	/** Whether the newest group is of batches. */
	private boolean batchesLast;

	private boolean closed;

	CommitQueue(Settings settings) {
		this.settings = settings;
	}

	/**
	 * Adds a request.
	 * @return false if the queue is closed, or has no room for this account
	 */
	boolean offer(WaitingRequest request) {
		this.lock.lock();
		try {
			WaitingRequest.Load load = this.loads.computeIfAbsent(request.accountId(),
					(_) -> new WaitingRequest.Load());
			if (this.closed || !hasRoom(load, request)) {
				removeIfUnused(request.accountId(), load);
				return false;
			}
			kind(request).add(request);
			load.count(request, 1);
			this.total.count(request, 1);
			if (isReady(next()) || kind(request).waiting() == 1) {
				this.filled.signal();
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the next group, and waits if there is none. The group ends at the largest
	 * number of mails or bytes, or at the number that is expected to be committed within
	 * the permitted time. The caller reports its end by {@link #committed}.
	 * @return empty if the queue is closed and empty
	 */
	List<WaitingRequest> take() throws InterruptedException {
		this.lock.lock();
		try {
			WaitingRequest.Turns kind = next();
			while (!isReady(kind) && !(this.closed && this.loads.isEmpty())) {
				if (kind.isEmpty()) {
					this.filled.await();
				}
				else {
					this.filled.awaitNanos((kind == this.batches) ? pauseNanos() : kind.gatheringNanos());
				}
				kind = next();
			}
			List<WaitingRequest> group = kind.take(this.settings, (kind == this.batches) ? this.bulk.get() : 1);
			group.forEach(this::uncount);
			this.batchesLast = kind == this.batches;
			if (!this.loads.isEmpty()) {
				this.filled.signal();
			}
			return group;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The kind of the next group. While both wait, it is the one with fewer groups in
	 * progress, and batches leave a loop to single mails.
	 */
	private WaitingRequest.Turns next() {
		int more = Integer.compare(this.batches.groups(), this.singles.groups());
		boolean batchesFirst = !isReady(this.singles) || more < 0 || (more == 0 && !this.batchesLast);
		boolean room = this.batches.groups() < Math.max(1, this.settings.loops() - 1);
		boolean mayBegin = isReady(this.batches) || (this.singles.isEmpty() && !this.batches.isEmpty());
		return (mayBegin && batchesFirst && room) ? this.batches : this.singles;
	}

	/**
	 * Whether a group of this kind may begin. A commit costs the same for one mail as for
	 * many: while single mails are committed, the next ones gather until that group ends
	 * or they are worth a loop of their own. Batches may pause.
	 */
	private boolean isReady(WaitingRequest.Turns kind) {
		return !kind.isEmpty() && (this.closed
				|| ((kind == this.batches) ? pauseNanos() <= 0 : kind.groups() == 0 || kind.gatheringNanos() <= 0));
	}

	/** Rest of the pause between groups of batches; not positive if there is none. */
	private long pauseNanos() {
		return this.batchesFrom - System.nanoTime();
	}

	/** Takes all requests of these accounts. */
	List<WaitingRequest> takeAll(Predicate<UUID> accounts) {
		this.lock.lock();
		try {
			List<WaitingRequest> requests = new ArrayList<>();
			for (UUID account : List.copyOf(this.loads.keySet())) {
				if (accounts.test(account)) {
					requests.addAll(this.singles.removeAll(account));
					requests.addAll(this.batches.removeAll(account));
				}
			}
			requests.forEach(this::uncount);
			return requests;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Mails of the requests that wait. */
	long mails() {
		this.lock.lock();
		try {
			return this.total.mails;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Bytes of the requests that wait. */
	long bytes() {
		this.lock.lock();
		try {
			return this.total.bytes;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether requests of the account wait. */
	boolean holds(UUID account) {
		this.lock.lock();
		try {
			return this.loads.containsKey(account);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Records the end of a group that was taken, and the duration of its commit, from
	 * which the size of the next groups follows.
	 */
	void committed(List<WaitingRequest> group, long nanos) {
		this.lock.lock();
		try {
			WaitingRequest.Turns kind = kind(group.getFirst());
			kind.committed(group, nanos);
			long now = System.nanoTime();
			if (kind == this.batches) {
				this.batchesFrom = now
						+ Math.min(Settings.MAX_PAUSE.toNanos(), (long) (nanos * (1 / this.bulk.get() - 1)));
			}
			else {
				boolean beside = !this.batches.isEmpty() || this.batches.groups() > 0;
				this.bulk.light(now - group.getFirst().arrivedAt(), beside);
			}
			this.filled.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Accepts requests, also after a close. */
	void open() {
		setClosed(false);
	}

	/** Rejects further requests and ends the waiting of {@link #take()}. */
	void close() {
		setClosed(true);
	}

	private void setClosed(boolean closed) {
		this.lock.lock();
		try {
			this.closed = closed;
			this.filled.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean hasRoom(WaitingRequest.Load load, WaitingRequest request) {
		int mails = load.mails + request.mails();
		long bytes = load.bytes + request.bytes();
		boolean little = load.mails == 0
				|| (mails <= this.settings.queue() / 32 && bytes <= this.settings.bytes() / 32);
		// The last quarter is reserved for accounts with few mails in the queue.
		int maxMails = little ? this.settings.queue() : this.settings.queue() - this.settings.queue() / 4;
		long maxBytes = little ? this.settings.bytes() : this.settings.bytes() - this.settings.bytes() / 4;
		return this.total.mails + request.mails() <= maxMails && this.total.bytes + request.bytes() <= maxBytes
				&& mails <= this.settings.queue() / 2 && bytes <= this.settings.bytes() / 2;
	}

	private WaitingRequest.Turns kind(WaitingRequest request) {
		return (request.mails() == 1) ? this.singles : this.batches;
	}

	private void uncount(WaitingRequest request) {
		WaitingRequest.Load load = this.loads.getOrDefault(request.accountId(), new WaitingRequest.Load());
		load.count(request, -1);
		this.total.count(request, -1);
		removeIfUnused(request.accountId(), load);
	}

	private void removeIfUnused(UUID account, WaitingRequest.Load load) {
		if (load.mails == 0) {
			this.loads.remove(account);
		}
	}

	/**
	 * Bounds of the queue and of its groups: properties for tests, without environment
	 * variables. The defaults suit any load: full groups keep one disk busy.
	 *
	 * @param queue the largest number of mails in the queue
	 * @param bytes the largest number of bytes in the queue
	 * @param group the largest number of mails in one transaction
	 * @param loops transactions running at a time
	 */
	@ConfigurationProperties("mailroom.accept")
	record Settings(@DefaultValue("4096") int queue, @DefaultValue("268435456") long bytes,
			@DefaultValue("500") int group, @DefaultValue("2") int loops) {

		/**
		 * Longest expected time of a commit; a request may wait for one commit of other
		 * accounts.
		 */
		static final Duration MAX_COMMIT_TIME = Duration.ofMillis(100);

		/** Groups are not made smaller than this, because smaller ones save no time. */
		static final int MIN_GROUP = 32;

		/** Single mails that are worth a second group at the same time. */
		static final int GATHERED = 64;

		/**
		 * Longest time for which fewer gather: the group before them may wait for a lock.
		 */
		static final Duration MAX_GATHERING = Duration.ofMillis(20);

		/** Share of the time that is left to batches, however slow single mails are. */
		static final double MIN_BATCH_SHARE = 0.1;

		/** Longest pause between two groups of batches. */
		static final Duration MAX_PAUSE = Duration.ofMillis(500);

		static final long MAX_GROUP_BYTES = 32L * 1024 * 1024;

		Settings withGroup(int group) {
			return new Settings(this.queue, this.bytes, group, this.loops);
		}

	}

}
