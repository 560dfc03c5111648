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
 * Settles what the lanes bring, in groups: the settlement under way is the window in
 * which the next group gathers. Where the database is away it keeps trying with the same
 * group; a lane goes on only when its own is settled, so nothing new is claimed
 * meanwhile.
 */
@Component
class Settler {

	private static final Logger log = LoggerFactory.getLogger(Settler.class);

	private static final int GROUP = 64;

	private static final Duration PATIENCE = Duration.ofSeconds(45);

	private static final Duration PAUSE = Duration.ofMillis(500);

	private final Outcomes outcomes;

	private final BlockingQueue<Batch> waiting = new LinkedBlockingQueue<>();

	private volatile boolean stopping;

	private Thread loop = new Thread(this::run, "settler");

	Settler(Outcomes outcomes) {
		this.outcomes = outcomes;
	}

	/** Hands over a chunk's settlements; done when they are durable. */
	CompletableFuture<Void> settle(List<Settlement> settlements) {
		Batch batch = new Batch(settlements, new CompletableFuture<>());
		this.waiting.add(batch);
		return batch.done();
	}

	void start() {
		this.stopping = false;
		this.loop = Thread.ofPlatform().name("settler").daemon().start(this::run);
	}

	/** Settles what waits, for so long at the most, and then stops. */
	void stop(Duration patience) throws InterruptedException {
		this.stopping = true;
		this.loop.join(patience);
		this.loop.interrupt();
	}

	private void run() {
		try {
			while (!this.stopping || !this.waiting.isEmpty()) {
				Batch first = this.waiting.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
				if (first != null) {
					List<Batch> group = new ArrayList<>(List.of(first));
					this.waiting.drainTo(group, GROUP);
					settleGroup(group);
				}
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	private void settleGroup(List<Batch> group) throws InterruptedException {
		settleAll(group.stream().flatMap((batch) -> batch.settlements().stream()).toList());
		group.forEach((batch) -> batch.done().complete(null));
	}

	/**
	 * Keeps trying, but not with what the database will never take: that stands alone in
	 * the end, and is left out.
	 */
	private void settleAll(List<Settlement> settlements) throws InterruptedException {
		while (true) {
			try {
				this.outcomes.settle(settlements).block(PATIENCE);
				return;
			}
			catch (DataIntegrityViolationException | BadSqlGrammarException ex) {
				halve(settlements, ex);
				return;
			}
			catch (RuntimeException ex) {
				log.warn("{} outcomes could not be settled and are tried again: {}", settlements.size(), ex.toString());
				TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
			}
		}
	}

	private void halve(List<Settlement> settlements, RuntimeException refusal) throws InterruptedException {
		if (settlements.size() == 1) {
			log.error("The outcome of {} cannot be settled: its lease runs out", settlements.getFirst().lease(),
					refusal);
			return;
		}
		settleAll(settlements.subList(0, settlements.size() / 2));
		settleAll(settlements.subList(settlements.size() / 2, settlements.size()));
	}

	private record Batch(List<Settlement> settlements, CompletableFuture<Void> done) {
	}

}
