package dev.mailroom.system.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.mailroom.Await;
import dev.mailroom.system.faults.Run.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Posts mail while database, API, worker and broker are killed at random, and checks that
 * all acknowledged mail arrives. {@code -Dfaults.mails} and {@code -Dfaults.kills} set
 * the numbers, {@code -Dfaults.seed} repeats a sequence, and {@code -Dfaults.direct=true}
 * sends directly to three hosts instead of the relay.
 */
class Storm {

	private static final int MAILS = Integer.getInteger("faults.mails", 100_000);

	private static final int KILLS = Integer.getInteger("faults.kills", 30);

	private static final boolean DIRECT = Boolean.getBoolean("faults.direct");

	private static final int BATCH = 25;

	private static final int MAX_DOWNTIME_MILLIS = 3_000;

	private static final Duration TIMEOUT = Duration.ofMinutes(10);

	private final Random random = new Random(Long.getLong("faults.seed", 1));

	private final Map<Part, Integer> killed = new TreeMap<>();

	@TempDir
	Path directory;

	@Test
	void acknowledgedMailArrives() throws Exception {
		try (Installation installation = new Installation(this.directory, false)) {
			Run run = new Run(installation);
			installation.use(DIRECT ? SendMode.DIRECT : SendMode.RELAY);
			Run.Posting posting = run.posting(batches(run));
			for (int i = 0; i < KILLS; i++) {
				double when = MAILS * (i + this.random.nextDouble()) / KILLS;
				Await.until(when + " mails are acknowledged", TIMEOUT, () -> run.acknowledged() >= when);
				killAndRestart(installation, Part.values()[this.random.nextInt(Part.values().length)]);
			}
			posting.join();
			Verdict verdict = run.verdict();
			System.out.printf("%nkilled %s; %d mails acknowledged, %d recipients, %d lost, %d twice, %d unanswered%n",
					this.killed, run.acknowledged(), verdict.recipients(), verdict.lost(), verdict.twice(),
					verdict.possible());
			assertThat(verdict.lost()).isZero();
			assertThat(verdict.recipients()).isEqualTo(run.acknowledged() * (DIRECT ? 3 : 1));
		}
	}

	private static List<String> batches(Run run) {
		List<String> batches = new ArrayList<>();
		for (int i = 0; i < MAILS; i += BATCH) {
			List<String> mails = new ArrayList<>();
			for (int j = i; j < i + BATCH; j++) {
				mails.add(DIRECT ? run.mailToSeveralHosts(j) : run.mail(j, behavior(j), 1, 200));
			}
			batches.add("[" + String.join(",", mails) + "]");
		}
		return batches;
	}

	/** A realistic share of refusals and lost replies. */
	private static Behavior behavior(int number) {
		return switch (number % 1000) {
			case 0 -> Behavior.STALL;
			case 1, 501 -> Behavior.DROP;
			case 2, 102, 302, 502, 702 -> Behavior.REFUSE;
			case 3, 103, 203, 303, 403, 503, 603, 703, 803, 903 -> Behavior.DEFER;
			default -> Behavior.TAKE;
		};
	}

	private void killAndRestart(Installation installation, Part part) throws Exception {
		this.killed.merge(part, 1, Integer::sum);
		part.kill(installation);
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(MAX_DOWNTIME_MILLIS));
		part.start(installation);
	}

	/** Parts that are killed. */
	enum Part {

		DATABASE, BROKER, API, WORKER;

		void kill(Installation installation) throws Exception {
			switch (this) {
				case DATABASE -> installation.database().kill();
				case BROKER -> installation.broker().kill();
				case API -> installation.api().kill();
				case WORKER -> installation.worker().kill();
			}
		}

		void start(Installation installation) throws Exception {
			switch (this) {
				case DATABASE -> installation.database().restart();
				case BROKER -> installation.broker().start();
				case API -> installation.api().restart();
				case WORKER -> installation.worker().restart();
			}
		}

	}

}
