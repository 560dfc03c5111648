package dev.mailroom.system.faults;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.mailroom.system.Poll;
import dev.mailroom.system.Program;
import dev.mailroom.system.faults.Run.Verdict;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two workers, of which one is stopped or killed: the other one continues with its mail
 * and dispatches.
 */
@ExtendWith(SharedInstallation.class)
@Isolated("short leases need the whole machine")
class SeveralWorkersTest {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final String ATTEMPTS = "mailroom_delivery_attempts_total";

	private static final String ACTIVE = "mailroom_dispatcher_active";

	private static Installation installation;

	@BeforeAll
	static void start(Installation shared) throws Exception {
		installation = shared;
		installation.use(SendMode.RELAY);
	}

	@BeforeEach
	void restore() throws Exception {
		installation.restore();
	}

	@Test
	void aStopUnderLoadLosesNoMailAndSendsNoneTwice() throws Exception {
		Run run = new Run(installation);
		Run.Posting posting;
		try (Program second = installation.anotherWorker("second")) {
			Poll.until(TIMEOUT, () -> {
				run.post(batches(run, 4));
				return second.metric(ATTEMPTS) >= 20;
			});
			double before = second.metric(ATTEMPTS);
			posting = run.posting(batches(run, 40));
			Poll.until(TIMEOUT, () -> second.metric(ATTEMPTS) > before);
		}
		posting.join();
		Verdict verdict = run.verdict();
		assertThat(verdict.lost()).isZero();
		assertThat(verdict.twice()).isZero();
		assertThat(verdict.possible()).isZero();
	}

	@Test
	void theOtherWorkerDispatchesWhenTheActiveOneIsKilled() throws Exception {
		Poll.until(TIMEOUT, () -> installation.worker().program().metric(ACTIVE) == 1);
		try (Program second = installation.anotherWorker("standby")) {
			assertThat(second.metric(ACTIVE)).isZero();
			Run run = new Run(installation);
			Run.Posting posting = run.posting(batches(run, 20));
			Poll.until(TIMEOUT, () -> run.acknowledged() >= 20);
			installation.worker().kill();
			posting.join();
			assertThat(run.verdict().lost()).isZero();
			assertThat(second.metric(ACTIVE)).isOne();
			installation.worker().restart();
		}
	}

	/** Requests of 25 mails each. */
	private static List<String> batches(Run run, int count) {
		return IntStream.range(0, count)
			.mapToObj((_) -> "[" + String.join(",", IntStream.range(0, 25).mapToObj((_) -> run.nextMail()).toList())
					+ "]")
			.toList();
	}

}
