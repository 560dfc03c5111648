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
 * Works leases off, in lanes: each takes a chunk, hands it over on one session, and goes
 * on when what came of it is settled. One of the few places where plain code waits for
 * Reactor.
 */
@Component
class Sender implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Sender.class);

	private static final Duration GIVE_BACK = Duration.ofSeconds(5);

	/** What found no place goes behind what is for other destinations. */
	private static final Duration ELSEWHERE = Duration.ofSeconds(5);

	private static final Duration PAUSE = Duration.ofMillis(500);

	/** Longer than a chunk of mails may take together, whatever the server does. */
	private static final Duration PATIENCE = Duration.ofMinutes(20);

	private final LaneQueue intake;

	private final ChunkSender work;

	private final Settler settler;

	private final Queue queue;

	private final DeadLetters deadLetters;

	private final SendSettings settings;

	private final List<Thread> lanes = new ArrayList<>();

	private CountDownLatch busy = new CountDownLatch(0);

	Sender(LaneQueue intake, ChunkSender work, Settler settler, Queue queue, DeadLetters deadLetters,
			SendSettings settings) {
		this.intake = intake;
		this.work = work;
		this.settler = settler;
		this.queue = queue;
		this.deadLetters = deadLetters;
		this.settings = settings;
	}

	/**
	 * Takes leases in; waits while there is no room, and gives back what comes too late
	 * or finds no place.
	 */
	void take(List<Lease> leases) throws InterruptedException {
		List<Lease> rest = this.intake.offer(leases);
		giveBack(rest, this.intake.isClosed() ? Duration.ZERO : ELSEWHERE);
	}

	/**
	 * Keeps that a record could not be read. It named nobody's mail that is not leased
	 * anew, so that a lost note costs nothing.
	 */
	void bury(String where) {
		try {
			this.deadLetters.unreadable(where, "It is no lease").block(GIVE_BACK);
		}
		catch (RuntimeException ex) {
			log.warn("No dead letter was kept of {}: {}", where, ex.toString());
		}
	}

	private void run() {
		try {
			while (!this.intake.isClosed()) {
				Optional<Chunk> chunk = this.intake.take();
				if (chunk.isPresent()) {
					work(chunk.get());
				}
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.busy.countDown();
		}
	}

	private void work(Chunk chunk) throws InterruptedException {
		try {
			List<Settlement> settlements = this.work.of(chunk).blockOptional(PATIENCE).orElse(List.of());
			if (!settlements.isEmpty()) {
				this.settler.settle(settlements).join();
			}
		}
		catch (RuntimeException ex) {
			// The database was away: whatever was leased comes back when its lease runs
			// out.
			log.warn("A chunk of {} deliveries was not worked off: {}", chunk.leases().size(), ex.toString());
			TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
		}
		finally {
			this.intake.done(chunk);
		}
	}

	private void giveBack(List<Lease> leases, Duration pause) {
		try {
			this.queue.postpone(leases, pause).onErrorResume((_) -> Mono.empty()).block(GIVE_BACK);
		}
		catch (IllegalStateException ex) {
			log.debug("{} leases were not given back and run out by themselves", leases.size(), ex);
		}
	}

	@Override
	public void start() {
		this.settler.start();
		this.busy = new CountDownLatch(this.settings.lanes());
		for (int i = 1; i <= this.settings.lanes(); i++) {
			this.lanes.add(Thread.ofVirtual().name("lane-" + i).start(this::run));
		}
	}

	/** Gives back what was not begun, and waits for what was. */
	@Override
	public void stop() {
		giveBack(this.intake.close(), Duration.ZERO);
		try {
			if (!this.busy.await(this.settings.drainTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
				log.warn("Some hand-overs did not end in {}; their leases run out", this.settings.drainTimeout());
			}
			this.settler.stop(GIVE_BACK);
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

	/** It starts before the listener and stops after it. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 1000;
	}

}
