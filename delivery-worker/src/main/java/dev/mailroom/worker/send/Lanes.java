package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.mailroom.observability.LoggedMail;
import dev.mailroom.worker.dispatch.LoopHealth;
import dev.mailroom.worker.smtp.client.Transports;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Runs the lanes: virtual threads that each take a chunk, send it in one session and
 * continue once its outcomes are settled.
 */
@Component
class Lanes implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Lanes.class);

	private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration ERROR_DELAY = Duration.ofMillis(500);

	private final LaneQueue laneQueue;

	private final Sender sender;

	private final Settler settler;

	private final LoopHealth health;

	private final SendSettings settings;

	private final ApplicationContext context;

	private final List<Thread> lanes = new ArrayList<>();

	private CountDownLatch running = new CountDownLatch(0);

	Lanes(LaneQueue laneQueue, Sender sender, Settler settler, LoopHealth health, SendSettings settings,
			LeaseSettings leases, Transports transports, ApplicationContext context) {
		leases.check(settings.beginWithin(), transports.handOverLimit());
		this.laneQueue = laneQueue;
		this.sender = sender;
		this.settler = settler;
		this.health = health;
		this.settings = settings;
		this.context = context;
	}

	/**
	 * Queues leases for the lanes, and returns those that do not fit, or that arrive
	 * during a shutdown, to the database. Does not wait.
	 */
	void take(List<WaitingLease> leases) {
		this.laneQueue.offer(leases).forEach((delay, rejected) -> this.sender.postpone(rejected, delay));
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
		catch (Throwable error) {
			this.health.ended(Thread.currentThread().getName(), error);
		}
		finally {
			this.running.countDown();
		}
	}

	/** Sends a chunk; no error of a chunk ends the lane. */
	private void send(Chunk chunk) throws InterruptedException {
		try {
			this.sender.send(chunk);
		}
		catch (Throwable error) {
			// The deliveries are recovered when their leases expire.
			log.atWarn()
				.addKeyValue(LoggedMail.ACCOUNT, chunk.route().accountId())
				.setCause(error)
				.log("A chunk of {} deliveries failed: {}", chunk.leases().size(), error.toString());
			TimeUnit.MILLISECONDS.sleep(ERROR_DELAY.toMillis());
		}
		finally {
			this.laneQueue.done(chunk);
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

	/**
	 * Begins no further hand-over once a shutdown begins, because other components stop
	 * before this one, and returns the waiting leases.
	 */
	@EventListener
	void closing(ContextClosedEvent event) {
		if (event.getApplicationContext().equals(this.context)) {
			this.sender.release(this.laneQueue.close());
		}
	}

	/** Returns the waiting leases and waits for hand-overs in progress. */
	@Override
	public void stop() {
		this.sender.release(this.laneQueue.close());
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
