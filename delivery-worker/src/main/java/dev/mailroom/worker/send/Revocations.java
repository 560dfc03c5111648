package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.worker.dispatch.WorkLoops;

import org.springframework.stereotype.Component;

/**
 * Mails that passed the fence and are not begun. When a pause, a hold, a suspension, a
 * suppression or an unsubscription is notified, they are checked again, and those that
 * the fence would not let pass any more are revoked.
 */
@Component
class Revocations {

	/** Least time between two checks. */
	private static final Duration INTERVAL = Duration.ofMillis(20);

	private final Queue queue;

	private final Set<Batch> batches = ConcurrentHashMap.newKeySet();

	private final AtomicLong checks = new AtomicLong();

	Revocations(Queue queue, WorkLoops loops) {
		this.queue = queue;
		loops.addForStops("stops of fenced mail", INTERVAL, this::check);
	}

	/** Number of checks so far, to be read before the fence. */
	long checks() {
		return this.checks.get();
	}

	/**
	 * Watches mails that passed the fence, until the result is closed.
	 * @param checks number of checks before the fence; if there was one meanwhile, the
	 * mails are checked now, because the fence may not have seen the reason for it
	 */
	Batch watch(List<HandOver> handOvers, long checks) {
		Batch batch = new Batch(handOvers);
		this.batches.add(batch);
		if (this.checks.get() != checks) {
			revoke(List.of(batch));
		}
		return batch;
	}

	/**
	 * Revokes mails.
	 * @return false: the next check follows a notification
	 */
	boolean check() {
		this.checks.incrementAndGet();
		revoke(this.batches);
		return false;
	}

	private void revoke(Collection<Batch> batches) {
		List<Lease> waiting = new ArrayList<>();
		batches.forEach((batch) -> waiting.addAll(batch.waiting.values()));
		if (!waiting.isEmpty()) {
			Set<UUID> stopped = this.queue.stopped(waiting);
			batches.forEach((batch) -> batch.waiting.keySet().removeAll(stopped));
		}
	}

	/** Mails of one sender thread; compared by identity. */
	final class Batch implements AutoCloseable {

		/** Those that may be begun, by delivery. */
		private final Map<UUID, Lease> waiting = new ConcurrentHashMap<>();

		private Batch(List<HandOver> handOvers) {
			handOvers.forEach((handOver) -> this.waiting.put(handOver.lease().delivery(), handOver.lease()));
		}

		/** Whether a mail may be begun: it was neither begun nor revoked. */
		boolean admits(HandOver handOver) {
			return this.waiting.containsKey(handOver.lease().delivery());
		}

		/** Begins a mail; false if it was revoked. */
		boolean begin(HandOver handOver) {
			return this.waiting.remove(handOver.lease().delivery()) != null;
		}

		@Override
		public void close() {
			Revocations.this.batches.remove(this);
		}

	}

}
