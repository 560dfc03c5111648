package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.worker.dispatch.WorkLoops;

import org.springframework.stereotype.Component;

/**
 * Mails that passed the fence and are not begun. When a pause, a hold, a suspension, a
 * suppression or an unsubscription is announced, they are checked again, and those that
 * the fence would not let pass any more are revoked.
 */
@Component
class Revocations {

	/** Least time between two checks. */
	private static final Duration INTERVAL = Duration.ofMillis(20);

	private final Queue queue;

	private final Set<Batch> batches = ConcurrentHashMap.newKeySet();

	Revocations(Queue queue, WorkLoops loops) {
		this.queue = queue;
		loops.addForStops("stops of fenced mail", INTERVAL, this::check);
	}

	/** Watches mails that passed the fence, until the result is closed. */
	Batch watch(List<HandOver> handOvers) {
		Batch batch = new Batch(handOvers);
		this.batches.add(batch);
		return batch;
	}

	/**
	 * Revokes mails.
	 * @return false: the next check follows an announcement
	 */
	boolean check() {
		List<Lease> waiting = new ArrayList<>();
		this.batches.forEach((batch) -> waiting.addAll(batch.waiting.values()));
		if (!waiting.isEmpty()) {
			Set<UUID> stopped = this.queue.stopped(waiting);
			this.batches.forEach((batch) -> batch.waiting.keySet().removeAll(stopped));
		}
		return false;
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
