package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.mailroom.outcome.Outcomes;
import dev.mailroom.outcome.Settlement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.r2dbc.BadSqlGrammarException;
import org.springframework.stereotype.Component;

/**
 * Settles the outcomes of all lanes in groups: while one group is settled, the next one
 * gathers. If the database is unavailable, it retries the same group; each lane waits for
 * its own settlements, so that no further deliveries are fenced meanwhile.
 */
@Component
class Settler {

	private static final Logger log = LoggerFactory.getLogger(Settler.class);

	/** Chunks settled together, in addition to the first. */
	private static final int MAX_GROUP_SIZE = 64;

	private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(45);

	private static final Duration RETRY_DELAY = Duration.ofMillis(500);

	private final Outcomes outcomes;

	private final BlockingQueue<Batch> waiting = new LinkedBlockingQueue<>();

	private volatile boolean stopping;

	private Thread loop = new Thread(this::run, "settler");

	Settler(Outcomes outcomes) {
		this.outcomes = outcomes;
	}

	/** Queues the settlements of a chunk; the future completes when they are durable. */
	CompletableFuture<Void> settle(List<Settlement> settlements) {
		Batch batch = new Batch(settlements, new CompletableFuture<>());
		this.waiting.add(batch);
		return batch.done();
	}

	void start() {
		this.stopping = false;
		this.loop = Thread.ofPlatform().name("settler").daemon().start(this::run);
	}

	/** Settles the waiting groups within the timeout, and then stops. */
	void stop(Duration timeout) throws InterruptedException {
		this.stopping = true;
		this.waiting.add(new Batch(List.of(), new CompletableFuture<>()));
		this.loop.join(timeout);
		this.loop.interrupt();
	}

	private void run() {
		try {
			while (!this.stopping || !this.waiting.isEmpty()) {
				List<Batch> group = new ArrayList<>(List.of(this.waiting.take()));
				this.waiting.drainTo(group, MAX_GROUP_SIZE);
				settleGroup(group);
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	private void settleGroup(List<Batch> group) throws InterruptedException {
		List<Settlement> settlements = group.stream().flatMap((batch) -> batch.settlements().stream()).toList();
		if (!settlements.isEmpty()) {
			settleAll(settlements);
		}
		group.forEach((batch) -> batch.done().complete(null));
	}

	/**
	 * Retries until the group is settled. A group that violates a constraint is halved
	 * until the offending settlement is found, which is dropped.
	 */
	private void settleAll(List<Settlement> settlements) throws InterruptedException {
		while (true) {
			try {
				this.outcomes.settle(settlements).block(SETTLE_TIMEOUT);
				return;
			}
			catch (DataIntegrityViolationException | BadSqlGrammarException ex) {
				halve(settlements, ex);
				return;
			}
			catch (RuntimeException ex) {
				log.warn("{} outcomes could not be settled; retrying: {}", settlements.size(), ex.toString());
				TimeUnit.MILLISECONDS.sleep(RETRY_DELAY.toMillis());
			}
		}
	}

	private void halve(List<Settlement> settlements, RuntimeException violation) throws InterruptedException {
		if (settlements.size() == 1) {
			log.error("The outcome of {} cannot be settled; its lease will expire", settlements.getFirst().lease(),
					violation);
			return;
		}
		settleAll(settlements.subList(0, settlements.size() / 2));
		settleAll(settlements.subList(settlements.size() / 2, settlements.size()));
	}

	private record Batch(List<Settlement> settlements, CompletableFuture<Void> done) {
	}

}
