package dev.mailroom.worker.compose;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Threads that compose and sign, as many as processors. Accounts take turns, so that a
 * mail does not wait for all signatures of another account's burst.
 */
final class ComposeThreads implements AutoCloseable {

	/** Steps that may wait for a thread; more than all lanes together hand over. */
	private static final int MAX_WAITING = 4096;

	private final ThreadPoolExecutor threads;

	/** By account; the one served last is at the end. */
	private final LinkedHashMap<UUID, Queue<Runnable>> waiting = new LinkedHashMap<>();

	private int size;

	ComposeThreads(int count) {
		this.threads = new ThreadPoolExecutor(count, count, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				Thread.ofPlatform().name("compose-", 1).daemon().factory());
		this.threads.allowCoreThreadTimeOut(true);
	}

	/** Scheduler for the steps of an account. */
	Scheduler of(UUID account) {
		return Schedulers.fromExecutor((step) -> execute(account, step));
	}

	private void execute(UUID account, Runnable step) {
		synchronized (this.waiting) {
			if (this.size >= MAX_WAITING) {
				throw new RejectedExecutionException("More mails wait to be composed than lanes can hand over");
			}
			this.size++;
			this.waiting.computeIfAbsent(account, (_) -> new ArrayDeque<>()).add(step);
		}
		this.threads.execute(() -> next().run());
	}

	private Runnable next() {
		synchronized (this.waiting) {
			Map.Entry<UUID, Queue<Runnable>> first = this.waiting.pollFirstEntry();
			Runnable step = first.getValue().remove();
			if (!first.getValue().isEmpty()) {
				this.waiting.put(first.getKey(), first.getValue());
			}
			this.size--;
			return step;
		}
	}

	@Override
	public void close() {
		this.threads.shutdown();
	}

}
