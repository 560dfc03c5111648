package dev.mailroom.worker.jobs;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.dispatch.WorkLoops;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Runs jobs on the worker with the active dispatcher only, each in a loop of its own. A
 * job that fails is repeated. The results complete a sentence of the log that begins with
 * the number that the work returns.
 */
@Component
class Jobs {

	private static final Logger log = LoggerFactory.getLogger(Jobs.class);

	/** Time between two checks whether a job is due. */
	private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);

	private final Dispatcher dispatcher;

	private final WorkLoops loops;

	Jobs(Dispatcher dispatcher, WorkLoops loops) {
		this.dispatcher = dispatcher;
		this.loops = loops;
	}

	/** Adds a job that is repeated while there may be work, if only later. */
	void whileAny(String result, Duration interval, BooleanSupplier any, LongSupplier work) {
		add(result, interval, () -> {
			boolean found = any.getAsBoolean();
			if (found) {
				run(result, work);
			}
			return found;
		});
	}

	/** Adds a job that is repeated while it has an effect. */
	void whileEffective(String result, Duration interval, LongSupplier work) {
		add(result, interval, () -> run(result, work) > 0);
	}

	/**
	 * Adds a job that is always repeated, and begins soon after the dispatcher has become
	 * active. After a failure it waits for its interval.
	 */
	void always(String result, Duration interval, LongSupplier work) {
		AtomicLong due = new AtomicLong(System.nanoTime());
		add(result, CHECK_INTERVAL, () -> {
			if (System.nanoTime() - due.get() >= 0) {
				due.set(System.nanoTime() + interval.toNanos());
				run(result, work);
			}
			return true;
		});
	}

	private void add(String result, Duration interval, BooleanSupplier job) {
		this.loops.add(result, interval, () -> !this.dispatcher.isActive() || job.getAsBoolean());
	}

	private static long run(String result, LongSupplier work) {
		long count = work.getAsLong();
		if (count > 0) {
			log.info("{} {}", count, result);
		}
		return count;
	}

	/** Waits for work that the web apps share and that is a publisher for them. */
	static long done(Mono<Long> work) {
		return work.blockOptional().orElse(0L);
	}

}
