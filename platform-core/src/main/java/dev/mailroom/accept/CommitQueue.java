package dev.mailroom.accept;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be committed, bounded in mails and bytes, with an end for each account:
 * one account fills its share and no more, and a group takes from all accounts in turn.
 */
final class CommitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition filled = this.lock.newCondition();

	private final Map<UUID, Line> lines = new LinkedHashMap<>();

	private final CommitSettings settings;

	private int mails;

	private long bytes;

	private boolean closed;

	CommitQueue(CommitSettings settings) {
		this.settings = settings;
	}

	/** Puts a request in, unless the queue or the account's share of it is full. */
	boolean offer(WaitingRequest pending) {
		this.lock.lock();
		try {
			Line line = this.lines.computeIfAbsent(pending.request().accountId(), (_) -> new Line());
			if (this.closed || isFull(line, pending)) {
				dropIfEmpty(pending.request().accountId(), line);
				return false;
			}
			line.waiting.add(pending);
			count(line, pending, 1);
			this.filled.signal();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the next group, waiting until there is one: a request from each account in
	 * turn, until a group has as many mails as it may.
	 * @return empty once the queue is closed and nothing is left in it
	 */
	List<WaitingRequest> take() throws InterruptedException {
		this.lock.lock();
		try {
			while (this.lines.isEmpty() && !this.closed) {
				this.filled.await();
			}
			List<WaitingRequest> group = new ArrayList<>();
			int size = 0;
			while (size < this.settings.group() && !this.lines.isEmpty()) {
				size += round(group, this.settings.group() - size);
			}
			if (!this.lines.isEmpty()) {
				this.filled.signal();
			}
			return group;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Lets requests in, also after a close. */
	void open() {
		this.lock.lock();
		try {
			this.closed = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Lets nothing more in, and lets go of those who wait for more. */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.filled.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** One request from each account; whoever was served goes to the end. */
	private int round(List<WaitingRequest> group, int most) {
		int size = 0;
		List<Map.Entry<UUID, Line>> served = new ArrayList<>();
		Iterator<Map.Entry<UUID, Line>> turn = this.lines.entrySet().iterator();
		while (turn.hasNext() && size < most) {
			Map.Entry<UUID, Line> entry = turn.next();
			Line line = entry.getValue();
			WaitingRequest next = line.waiting.remove();
			count(line, next, -1);
			group.add(next);
			size += next.mails();
			served.add(Map.entry(entry.getKey(), line));
			turn.remove();
		}
		served.stream()
			.filter((entry) -> !entry.getValue().waiting.isEmpty())
			.forEach((entry) -> this.lines.put(entry.getKey(), entry.getValue()));
		return size;
	}

	private boolean isFull(Line line, WaitingRequest pending) {
		return this.mails + pending.mails() > this.settings.queue()
				|| this.bytes + pending.bytes() > this.settings.bytes()
				|| line.mails + pending.mails() > this.settings.share()
				|| line.bytes + pending.bytes() > this.settings.bytesShare();
	}

	private void dropIfEmpty(UUID account, Line line) {
		if (line.waiting.isEmpty()) {
			this.lines.remove(account);
		}
	}

	private void count(Line line, WaitingRequest pending, int sign) {
		line.mails += sign * pending.mails();
		line.bytes += sign * pending.bytes();
		this.mails += sign * pending.mails();
		this.bytes += sign * pending.bytes();
	}

	/** One account's end of the queue. */
	private static final class Line {

		private final Queue<WaitingRequest> waiting = new ArrayDeque<>();

		private int mails;

		private long bytes;

	}

}
