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

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Queue of the requests that wait for their commit, bounded in mails and bytes. Each
 * account may fill half of it, and a group takes requests from all accounts in turn.
 */
final class CommitQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition filled = this.lock.newCondition();

	private final Map<UUID, Line> lines = new LinkedHashMap<>();

	private final Settings settings;

	private int mails;

	private long bytes;

	private boolean closed;

	CommitQueue(Settings settings) {
		this.settings = settings;
	}

	/**
	 * Adds a request.
	 * @return false if the queue is closed, or it or the account's share of it is full
	 */
	boolean offer(Waiting request) {
		this.lock.lock();
		try {
			Line line = this.lines.computeIfAbsent(request.accountId(), (_) -> new Line());
			if (this.closed || isFull(line, request)) {
				removeIfEmpty(request.accountId(), line);
				return false;
			}
			line.requests.add(request);
			count(line, request, 1);
			this.filled.signal();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the next group, and waits if the queue is empty: a request from each account
	 * in turn, until the group has the largest permitted number of mails.
	 * @return empty if the queue is closed and empty
	 */
	List<Waiting> take() throws InterruptedException {
		this.lock.lock();
		try {
			while (this.lines.isEmpty() && !this.closed) {
				this.filled.await();
			}
			List<Waiting> group = new ArrayList<>();
			int size = 0;
			while (size < this.settings.group() && !this.lines.isEmpty()) {
				size += takeRound(group, this.settings.group() - size);
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

	/** Accepts requests, also after a close. */
	void open() {
		this.lock.lock();
		try {
			this.closed = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Rejects further requests and ends the waiting of {@link #take()}. */
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

	/** Takes one request from each account; an account that was served goes last. */
	private int takeRound(List<Waiting> group, int maxMails) {
		int size = 0;
		List<Map.Entry<UUID, Line>> served = new ArrayList<>();
		Iterator<Map.Entry<UUID, Line>> turn = this.lines.entrySet().iterator();
		while (turn.hasNext() && size < maxMails) {
			Map.Entry<UUID, Line> entry = turn.next();
			Line line = entry.getValue();
			Waiting next = line.requests.remove();
			count(line, next, -1);
			group.add(next);
			size += next.mails();
			served.add(Map.entry(entry.getKey(), line));
			turn.remove();
		}
		served.stream()
			.filter((entry) -> !entry.getValue().requests.isEmpty())
			.forEach((entry) -> this.lines.put(entry.getKey(), entry.getValue()));
		return size;
	}

	private boolean isFull(Line line, Waiting request) {
		return this.mails + request.mails() > this.settings.queue()
				|| this.bytes + request.bytes() > this.settings.bytes()
				|| line.mails + request.mails() > this.settings.maxMailsPerAccount()
				|| line.bytes + request.bytes() > this.settings.maxBytesPerAccount();
	}

	private void removeIfEmpty(UUID account, Line line) {
		if (line.requests.isEmpty()) {
			this.lines.remove(account);
		}
	}

	private void count(Line line, Waiting request, int sign) {
		line.mails += sign * request.mails();
		line.bytes += sign * request.bytes();
		this.mails += sign * request.mails();
		this.bytes += sign * request.bytes();
	}

	/** One account's requests. */
	private static final class Line {

		private final Queue<Waiting> requests = new ArrayDeque<>();

		private int mails;

		private long bytes;

	}

	/**
	 * A request in the queue.
	 *
	 * @param sink emits its result, or its refusal
	 */
	record Waiting(SendRequest request, long bytes, Sinks.One<SendResult> sink) {

		static Waiting of(SendRequest request) {
			return new Waiting(request, request.size(), Sinks.one());
		}

		UUID accountId() {
			return this.request.accountId();
		}

		int mails() {
			return Math.max(1, this.request.mails().size());
		}

		Mono<SendResult> result() {
			return this.sink.asMono();
		}

		void complete(SendResult result) {
			this.sink.tryEmitValue(result);
		}

		void refuse(Throwable reason) {
			this.sink.tryEmitError(reason);
		}

	}

	/**
	 * Bounds of the queue and of its groups.
	 *
	 * @param queue the largest number of mails in the queue
	 * @param bytes the largest number of bytes in the queue
	 * @param group the largest number of mails in one transaction
	 * @param loops transactions running at a time
	 */
	@ConfigurationProperties("mailroom.accept")
	record Settings(@DefaultValue("4096") int queue, @DefaultValue("268435456") long bytes,
			@DefaultValue("500") int group, @DefaultValue("2") int loops) {

		int maxMailsPerAccount() {
			return this.queue / 2;
		}

		long maxBytesPerAccount() {
			return this.bytes / 2;
		}

	}

}
