package dev.mailroom.system.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.system.Poll;
import dev.mailroom.system.faults.Run.Verdict;
import dev.mailroom.system.faults.Sink.Manner;
import dev.mailroom.system.faults.Storm.Part;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each row of the crash table: a program dies there, what it leaves behind is what the
 * table says, and in the end nothing is lost and nothing has arrived more often than an
 * attempt went unanswered.
 */
class CrashTest {

	/** How often each point is tried: {@code -Dfaults.runs=100} for more than a look. */
	private static final int RUNS = Integer.getInteger("faults.runs", 1);

	private static final int LARGE = 7_000_000;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Tally TALLY = new Tally();

	@TempDir
	private static Path directory;

	private static Scene scene;

	@BeforeAll
	static void set() throws Exception {
		scene = new Scene(directory);
	}

	@AfterAll
	static void report() throws Exception {
		TALLY.report();
		scene.close();
	}

	@ParameterizedTest
	@MethodSource("apiPoints")
	void whatTheApiDiesWithIsAcceptedOnceOrAskedForAgain(Point point) throws Exception {
		Run run = new Run(scene);
		scene.api().dieAt(point);
		Run.Posting posting = run.posting(mails(run));
		scene.api().awaitDeath();
		assertThat(run.mails()).matches((mails) -> (mails > 0) == (point == Point.API_BEFORE_ANSWER), "left behind");
		scene.api().restart();
		posting.join();
		assertThat(run.mails()).isEqualTo(6);
		Verdict verdict = judge(point.words(), run);
		assertThat(verdict.twice()).isZero();
		assertThat(verdict.possible()).isZero();
	}

	static Stream<Arguments> apiPoints() {
		return repeated(Point.API_BEFORE_COMMIT, Point.API_BEFORE_ANSWER);
	}

	@ParameterizedTest
	@MethodSource("workerPoints")
	void whatTheWorkerDiesWithIsTakenUpAgain(Point point) throws Exception {
		Run run = new Run(scene);
		scene.worker().dieAt(point);
		run.post(mails(run));
		scene.worker().awaitDeath();
		Map<String, String> left = run.left();
		assertThat(left.values()).anyMatch(point::leaves);
		scene.worker().restart();
		Verdict verdict = judge(point.words(), run);
		assertThat(verdict.possible()).isEqualTo(inData(left));
	}

	static Stream<Arguments> workerPoints() {
		return repeated(Stream.of(Point.values()).filter(Point::isWorkers).toArray(Point[]::new));
	}

	@ParameterizedTest
	@EnumSource(names = { "HOLD_BODY", "HOLD_ANSWER" })
	void whatTheWorkerWasSayingWhenItDiedIsSaidAgain(Manner manner) throws Exception {
		for (int i = 0; i < RUNS; i++) {
			Run run = new Run(scene);
			run.post(List.of(run.mail(1, manner, 1, LARGE), run.mail(2, Manner.TAKE, 4, 200)));
			scene.sink().awaitHeld();
			scene.worker().kill();
			Map<String, String> left = run.left();
			scene.sink().letGo();
			scene.worker().restart();
			boolean taken = manner == Manner.HOLD_ANSWER;
			Verdict verdict = judge(taken ? "dot sent, no 250" : "half of the body sent", run);
			assertThat(verdict.twice()).isEqualTo(taken ? 1 : 0);
			assertThat(verdict.possible()).isEqualTo(inData(left)).isPositive();
		}
	}

	@Test
	void whatTheServerNeverAnsweredIsSentAgain() throws Exception {
		for (int i = 0; i < RUNS; i++) {
			Run run = new Run(scene);
			run.post(List.of(run.mail(1, Manner.DROP, 1, 200), run.mail(2, Manner.STALL, 1, 200),
					run.mail(3, Manner.TAKE, 4, 200)));
			Verdict verdict = judge("nobody, but no answer to the dot", run);
			assertThat(verdict.twice()).isEqualTo(2);
			assertThat(verdict.possible()).isEqualTo(2);
		}
	}

	@Test
	void aTopicThatIsWipedMidRunLosesNothing() throws Exception {
		for (int i = 0; i < RUNS; i++) {
			Run run = new Run(scene);
			Run.Posting posting = run
				.posting(IntStream.range(0, 40).mapToObj((n) -> run.mail(n, Manner.TAKE, 5, 200)).toList());
			scene.topic().wipe();
			posting.join();
			Verdict verdict = judge("topic wiped", run);
			assertThat(verdict.twice()).isZero();
		}
	}

	@Test
	void recordsThatAreSeenAgainSendNothingAgain() throws Exception {
		for (int i = 0; i < RUNS; i++) {
			Run run = new Run(scene);
			run.post(mails(run));
			run.verdict();
			scene.topic().replay();
			Verdict verdict = judge("settled, record seen again", run);
			assertThat(verdict.twice()).isZero();
		}
	}

	/** Each takes most of a minute: in every build the one that speaks to the hosts. */
	static Stream<Part> parts() {
		return (RUNS > 1) ? Stream.of(Part.values()) : Stream.of(Part.WORKER);
	}

	/** Straight to three hosts, one of them Postfix's where Debian's is installed. */
	@ParameterizedTest
	@MethodSource("parts")
	void mailToSeveralHostsArrivesWhoeverIsKilledUnderLoad(Part part) throws Exception {
		scene.goDirect(true);
		try {
			for (int i = 0; i < RUNS; i++) {
				Run run = new Run(scene);
				Run.Posting posting = run.posting(IntStream.range(0, 60).mapToObj(run::mailToSeveralHosts).toList());
				Poll.until(PATIENCE, () -> run.acknowledged() >= 20);
				part.kill(scene);
				part.start(scene);
				posting.join();
				judge("direct, " + part.name().toLowerCase(Locale.ROOT) + " under load", run);
				assertThat(run.ways()).containsExactly("mx 127.0.0.2", "mx 127.0.0.3", "mx 127.0.0.4");
			}
		}
		finally {
			scene.goDirect(false);
		}
	}

	private static long inData(Map<String, String> left) {
		return left.values().stream().filter("in_data"::equals).count();
	}

	private static Stream<Arguments> repeated(Point... points) {
		return Stream.of(points).flatMap((point) -> IntStream.range(0, RUNS).mapToObj((_) -> Arguments.of(point)));
	}

	/** Six mails to twelve recipients, of whom two are refused now and two for good. */
	private static List<String> mails(Run run) {
		List<String> mails = new ArrayList<>();
		for (Manner manner : List.of(Manner.TAKE, Manner.TAKE, Manner.DEFER, Manner.TAKE, Manner.REFUSE, Manner.TAKE)) {
			mails.add(run.mail(mails.size(), manner, 2, 200));
		}
		return mails;
	}

	private static Verdict judge(String point, Run run) throws Exception {
		Verdict verdict = run.verdict();
		TALLY.add(point, verdict);
		assertThat(verdict.lost()).isZero();
		return verdict;
	}

}
