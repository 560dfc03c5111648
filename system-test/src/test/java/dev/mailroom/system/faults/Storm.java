package dev.mailroom.system.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.mailroom.system.Poll;
import dev.mailroom.system.faults.Run.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mail after mail while database, API, worker and broker are killed, one after another,
 * by chance: what was acknowledged arrives. {@code -Dfaults.mails} and
 * {@code -Dfaults.kills} say how much, {@code -Dfaults.seed} repeats a course of events,
 * {@code -Dfaults.direct=true} sends each to three hosts and through no relay.
 */
class Storm {

	private static final int MAILS = Integer.getInteger("faults.mails", 100_000);

	private static final int KILLS = Integer.getInteger("faults.kills", 30);

	private static final boolean DIRECT = Boolean.getBoolean("faults.direct");

	private static final int BATCH = 25;

	private static final int LONGEST_ABSENCE = 3_000;

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private final Random random = new Random(Long.getLong("faults.seed", 1));

	private final Map<Part, Integer> killed = new TreeMap<>();

	@TempDir
	Path directory;

	@Test
	void whatIsAcknowledgedArrives() throws Exception {
		try (Scene scene = new Scene(this.directory, false)) {
			Run run = new Run(scene);
			scene.go(DIRECT ? Way.DIRECT : Way.RELAY);
			Run.Posting posting = run.posting(batches(run));
			for (int i = 0; i < KILLS; i++) {
				double when = MAILS * (i + this.random.nextDouble()) / KILLS;
				Poll.until(PATIENCE, () -> run.acknowledged() >= when);
				strike(scene, Part.values()[this.random.nextInt(Part.values().length)]);
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
				mails.add(DIRECT ? run.mailToSeveralHosts(j) : run.mail(j, manner(j), 1, 200));
			}
			batches.add("[" + String.join(",", mails) + "]");
		}
		return batches;
	}

	/** A few of them are treated as mail is treated out there. */
	private static Manner manner(int number) {
		return switch (number % 1000) {
			case 0 -> Manner.STALL;
			case 1, 501 -> Manner.DROP;
			case 2, 102, 302, 502, 702 -> Manner.REFUSE;
			case 3, 103, 203, 303, 403, 503, 603, 703, 803, 903 -> Manner.DEFER;
			default -> Manner.TAKE;
		};
	}

	private void strike(Scene scene, Part part) throws Exception {
		this.killed.merge(part, 1, Integer::sum);
		part.kill(scene);
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(LONGEST_ABSENCE));
		part.start(scene);
	}

	/** What may be killed. */
	enum Part {

		DATABASE, BROKER, API, WORKER;

		void kill(Scene scene) throws Exception {
			switch (this) {
				case DATABASE -> scene.database().kill();
				case BROKER -> scene.broker().kill();
				case API -> scene.api().kill();
				case WORKER -> scene.worker().kill();
			}
		}

		void start(Scene scene) throws Exception {
			switch (this) {
				case DATABASE -> scene.database().restart();
				case BROKER -> scene.broker().start();
				case API -> scene.api().restart();
				case WORKER -> scene.worker().restart();
			}
		}

	}

}
