package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.mailroom.outcome.DeadLetters;
import dev.mailroom.outcome.Settlement;
import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Runs the lanes: virtual threads that each take a chunk, send it in one session and
 * continue once its outcomes are settled. Lanes block on reactive results.
 */
@Component
class Sender implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Sender.class);

	private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

	/** Delay of leases that do not fit, so that other destinations come first. */
	private static final Duration OVERFLOW_DELAY = Duration.ofSeconds(5);

	private static final Duration ERROR_DELAY = Duration.ofMillis(500);

	/** Exceeds the time that a chunk may take with all timeouts of the server. */
	private static final Duration CHUNK_TIMEOUT = Duration.ofMinutes(20);

	private final LaneQueue laneQueue;

	private final ChunkSender chunkSender;

	private final Settler settler;

	private final Queue queue;

	private final DeadLetters deadLetters;

	private final SendSettings settings;

	private final List<Thread> lanes = new ArrayList<>();

	private CountDownLatch running = new CountDownLatch(0);

	Sender(LaneQueue laneQueue, ChunkSender chunkSender, Settler settler, Queue queue, DeadLetters deadLetters,
			SendSettings settings) {
		this.laneQueue = laneQueue;
		this.chunkSender = chunkSender;
		this.settler = settler;
		this.queue = queue;
		this.deadLetters = deadLetters;
		this.settings = settings;
	}

	/**
	 * Queues leases for the lanes, waiting for room, and returns those that do not fit,
	 * or that arrive during a shutdown, to the database.
	 */
	void take(List<Lease> leases) throws InterruptedException {
		List<Lease> rejected = this.laneQueue.offer(leases);
		postpone(rejected, this.laneQueue.isClosed() ? Duration.ZERO : OVERFLOW_DELAY);
	}

	/**
	 * Records a dead letter for an unreadable record of the topic. Errors are only
	 * logged: the delivery, if there is one, is leased again.
	 */
	void recordUnreadable(String position) {
		try {
			this.deadLetters.recordUnreadable(position, "It is no lease").block(SHUTDOWN_TIMEOUT);
		}
		catch (RuntimeException ex) {
			log.warn("No dead letter was recorded for {}: {}", position, ex.toString());
		}
	}

	private void run() {
		try {
			while (!this.laneQueue.isClosed()) {
				Optional<Chunk> chunk = this.laneQueue.take();
				if (chunk.isPresent()) {
					send(chunk.get());
				}
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.running.countDown();
		}
	}

	private void send(Chunk chunk) throws InterruptedException {
		try {
			List<Settlement> settlements = this.chunkSender.send(chunk).blockOptional(CHUNK_TIMEOUT).orElse(List.of());
			if (!settlements.isEmpty()) {
				this.settler.settle(settlements).join();
			}
		}
		catch (RuntimeException ex) {
			// The deliveries are recovered when their leases expire.
			log.warn("A chunk of {} deliveries failed: {}", chunk.leases().size(), ex.toString());
			TimeUnit.MILLISECONDS.sleep(ERROR_DELAY.toMillis());
		}
		finally {
			this.laneQueue.done(chunk);
		}
	}

	private void postpone(List<Lease> leases, Duration delay) {
		try {
			this.queue.postpone(leases, delay).onErrorResume((_) -> Mono.empty()).block(SHUTDOWN_TIMEOUT);
		}
		catch (IllegalStateException ex) {
			log.debug("{} leases were not returned and will expire", leases.size(), ex);
		}
	}

	@Override
	public void start() {
		this.settler.start();
		this.laneQueue.open();
		this.running = new CountDownLatch(this.settings.lanes());
		for (int i = 1; i <= this.settings.lanes(); i++) {
			this.lanes.add(Thread.ofVirtual().name("lane-" + i).start(this::run));
		}
	}

	/** Returns the waiting leases and waits for hand-overs in progress. */
	@Override
	public void stop() {
		postpone(this.laneQueue.close(), Duration.ZERO);
		try {
			if (!this.running.await(this.settings.drainTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
				log.warn("Hand-overs did not end within {}; their leases will expire", this.settings.drainTimeout());
			}
			this.settler.stop(SHUTDOWN_TIMEOUT);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		this.lanes.forEach(Thread::interrupt);
		this.lanes.clear();
	}

	@Override
	public boolean isRunning() {
		return !this.lanes.isEmpty();
	}

	/** Starts before the listener and stops after it. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 1000;
	}

}
