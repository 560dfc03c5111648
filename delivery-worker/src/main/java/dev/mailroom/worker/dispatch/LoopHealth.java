package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Health of the loops that deliver mail: dispatcher, sender threads and settler. A loop
 * that ended or makes no progress cannot be repaired from inside. The worker is not ready
 * from then on, and its process ends after a delay, so that it is started again.
 */
@Component("loops")
public class LoopHealth implements ReactiveHealthIndicator, DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(LoopHealth.class);

	/** Time in which the failed readiness becomes visible and hand-overs may end. */
	private static final Duration EXIT_DELAY = Duration.ofSeconds(15);

	/** Limit on an orderly exit; longer than the drain timeout. */
	private static final Duration HALT_DELAY = Duration.ofMinutes(3);

	private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

	private final Duration exitDelay;

	private final Runnable exit;

	/** Reasons by loop. */
	private final Map<String, String> failures = new ConcurrentSkipListMap<>();

	private final Map<String, Heartbeat> heartbeats = new ConcurrentHashMap<>();

	private final AtomicBoolean ending = new AtomicBoolean();

	private final ScheduledExecutorService timer = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("loops").daemon().factory());

	@Autowired
	LoopHealth() {
		this(EXIT_DELAY, LoopHealth::exit);
	}

	/**
	 * Creates the indicator.
	 * @param exitDelay time from the first failure to the exit
	 * @param exit ends the process
	 */
	LoopHealth(Duration exitDelay, Runnable exit) {
		this.exitDelay = exitDelay;
		this.exit = exit;
		long interval = CHECK_INTERVAL.toMillis();
		Future<?> _ = this.timer.scheduleWithFixedDelay(this::check, interval, interval, TimeUnit.MILLISECONDS);
	}

	/** Exits in an orderly way, and halts if that does not end. */
	private static void exit() {
		Thread.ofPlatform().name("halt").daemon().start(() -> {
			try {
				TimeUnit.MILLISECONDS.sleep(HALT_DELAY.toMillis());
				Runtime.getRuntime().halt(1);
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
		});
		System.exit(1);
	}

	/** Records that a loop ended because of an error. */
	public void ended(String loop, Throwable cause) {
		log.error("The loop '{}' ended; this worker is not ready and exits in {} s", loop, this.exitDelay.toSeconds(),
				cause);
		fail(loop, "it ended: " + cause);
	}

	/**
	 * Begins to watch a loop.
	 * @param maxSilence time without a beat after which the loop has failed
	 */
	public Heartbeat watch(String loop, Duration maxSilence) {
		Heartbeat heartbeat = new Heartbeat(maxSilence.toNanos());
		this.heartbeats.put(loop, heartbeat);
		return heartbeat;
	}

	private void check() {
		this.heartbeats.forEach((loop, heartbeat) -> {
			if (heartbeat.isOverdue() && !this.failures.containsKey(loop)) {
				log.error("The loop '{}' makes no progress; this worker is not ready and exits in {} s", loop,
						this.exitDelay.toSeconds());
				fail(loop, "it makes no progress");
			}
		});
	}

	private void fail(String loop, String reason) {
		this.failures.putIfAbsent(loop, reason);
		if (this.ending.compareAndSet(false, true)) {
			Future<?> _ = this.timer.schedule(() -> Thread.ofPlatform().name("exit").start(this.exit),
					this.exitDelay.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	@Override
	public Mono<Health> health() {
		return Mono.fromSupplier(
				() -> this.failures.isEmpty() ? Health.up().build() : Health.down().withDetails(this.failures).build());
	}

	@Override
	public void destroy() {
		this.heartbeats.clear();
		this.timer.shutdownNow();
	}

	/** Signs of progress of one loop. An idle loop needs none. */
	public static final class Heartbeat {

		private static final long IDLE = 0;

		private final long maxSilence;

		/** On the clock of {@link System#nanoTime()}; zero while idle. */
		private final AtomicLong last = new AtomicLong(IDLE);

		Heartbeat(long maxSilence) {
			this.maxSilence = maxSilence;
		}

		/** Records progress; the next beat is due within the permitted silence. */
		public void beat() {
			this.last.set(System.nanoTime() | 1);
		}

		/** Records that the loop waits for an event that need not occur. */
		public void idle() {
			this.last.set(IDLE);
		}

		boolean isOverdue() {
			long beat = this.last.get();
			return beat != IDLE && System.nanoTime() - beat > this.maxSilence;
		}

	}

}
