package dev.mailroom.system.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.system.Poll;
import dev.mailroom.system.faults.Run.Verdict;
import dev.mailroom.system.faults.Storm.Part;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each row of the crash table: a program dies there, what it leaves behind is what the
 * table says, and in the end nothing is lost and nothing has arrived more often than an
 * attempt went unanswered. Mail goes through a relay, and straight to four domains on
 * three hosts, one of them Postfix's where Debian's is installed.
 */
class CrashTest {

	/** How often each point is tried: {@code -Dfaults.runs=100} for more than a look. */
	private static final int RUNS = Integer.getInteger("faults.runs", 1);

	/** Where it matters most which way mail goes: looked at in every build, both ways. */
	private static final Set<Object> MATTERS = Set.of(Point.FENCED, Point.ANSWERED, Manner.HOLD_ANSWER, Part.WORKER);

	private static final int LARGE = 7_000_000;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Tally TALLY = new Tally();

	@TempDir
	private static Path directory;

	private static Scene scene;

	@BeforeAll
	static void set() throws Exception {
		scene = new Scene(directory, true);
	}

	@BeforeEach
	void mend() throws Exception {
		scene.mend();
	}

	@AfterAll
	static void report() throws Exception {
		if (scene != null) {
			TALLY.report();
			scene.close();
		}
	}

	@ParameterizedTest
	@MethodSource("apiPoints")
	void whatTheApiDiesWithIsAcceptedOnceOrAskedForAgain(Point point, Way way) throws Exception {
		scene.go(way);
		Run run = new Run(scene);
		scene.api().dieAt(point);
		Run.Posting posting = run.posting(mails(run));
		scene.api().awaitDeath();
		assertThat(run.mails()).matches((mails) -> (mails > 0) == (point == Point.API_BEFORE_ANSWER), "left behind");
		scene.api().restart();
		posting.join();
		assertThat(run.mails()).isEqualTo(6);
		Verdict verdict = judge(point.words(), way, run);
		assertThat(verdict.twice()).isZero();
		assertThat(verdict.possible()).isZero();
	}

	static Stream<Arguments> apiPoints() {
		return each(Point.API_BEFORE_COMMIT, Point.API_BEFORE_ANSWER);
	}

	@ParameterizedTest
	@MethodSource("workerPoints")
	void whatTheWorkerDiesWithIsTakenUpAgain(Point point, Way way) throws Exception {
		scene.go(way);
		Run run = new Run(scene);
		scene.worker().dieAt(point);
		run.post(mails(run));
		scene.worker().awaitDeath();
		Map<String, String> left = run.left();
		assertThat(left.values()).anyMatch(point::leaves);
		scene.holdNothingForTheDead();
		scene.worker().restart();
		Verdict verdict = judge(point.words(), way, run);
		assertThat(verdict.possible()).isEqualTo(inData(left));
		assertThat(verdict.twice()).matches((twice) -> twice == 0 || !point.isBeforeData(), "twice");
	}

	static Stream<Arguments> workerPoints() {
		return each(Stream.of(Point.values()).filter(Point::isWorkers).toArray());
	}

	@ParameterizedTest
	@MethodSource("held")
	void whatTheWorkerWasSayingWhenItDiedIsSaidAgain(Manner manner, Way way) throws Exception {
		scene.go(way);
		Run run = new Run(scene);
		run.post(List.of(run.mail(1, manner, 1, LARGE)));
		scene.sink().awaitHeld();
		run.post(List.of(run.mail(2, Manner.TAKE, Manner.TAKE, Manner.POSTFIX)));
		run.awaitOpen(1);
		scene.worker().kill();
		Map<String, String> left = run.left();
		scene.sink().letGo();
		scene.holdNothingForTheDead();
		scene.worker().restart();
		boolean taken = manner == Manner.HOLD_ANSWER;
		Verdict verdict = judge(taken ? "dot sent, no 250" : "half of the body sent", way, run);
		assertThat(verdict.twice()).isEqualTo(taken ? 1 : 0);
		assertThat(verdict.possible()).isEqualTo(inData(left)).isOne();
	}

	static Stream<Arguments> held() {
		return each(Manner.HOLD_BODY, Manner.HOLD_ANSWER);
	}

	@ParameterizedTest
	@MethodSource("ways")
	void whatTheServerNeverAnsweredIsSentAgain(Way way) throws Exception {
		scene.go(way);
		Run run = new Run(scene);
		run.post(List.of(run.mail(1, Manner.DROP), run.mail(2, Manner.STALL),
				run.mail(3, Manner.TAKE, Manner.TAKE, Manner.TAKE, Manner.POSTFIX)));
		Verdict verdict = judge("nobody, but no answer to the dot", way, run);
		assertThat(verdict.twice()).isEqualTo(2);
		assertThat(verdict.possible()).isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("ways")
	void aTopicThatIsWipedMidRunLosesNothing(Way way) throws Exception {
		scene.go(way);
		Run run = new Run(scene);
		Run.Posting posting = run.posting(IntStream.range(0, 40)
			.mapToObj((n) -> run.mail(n, Manner.TAKE, Manner.TAKE, Manner.DEFER, Manner.POSTFIX, Manner.POSTFIX))
			.toList());
		scene.topic().wipe();
		posting.join();
		assertThat(judge("topic wiped", way, run).twice()).isZero();
	}

	@ParameterizedTest
	@MethodSource("ways")
	void recordsThatAreSeenAgainSendNothingAgain(Way way) throws Exception {
		scene.go(way);
		Run run = new Run(scene);
		run.post(mails(run));
		run.verdict();
		scene.topic().replay();
		assertThat(judge("settled, record seen again", way, run).twice()).isZero();
	}

	static Stream<Arguments> ways() {
		return each("").map((arguments) -> Arguments.of(arguments.get()[1]));
	}

	/**
	 * In every build the one that speaks to the hosts; the random course has the relay.
	 */
	@ParameterizedTest
	@MethodSource("parts")
	void mailToSeveralHostsArrivesWhoeverIsKilledUnderLoad(Part part, Way way) throws Exception {
		scene.go(way);
		Run run = new Run(scene);
		Run.Posting posting = run.posting(IntStream.range(0, 60).mapToObj(run::mailToSeveralHosts).toList());
		Poll.until(PATIENCE, () -> run.acknowledged() >= 20);
		part.kill(scene);
		part.start(scene);
		posting.join();
		judge(part.name().toLowerCase(Locale.ROOT) + " under load", way, run);
		assertThat(run.ways()).containsExactly("mx 127.0.0.2", "mx 127.0.0.3", "mx 127.0.0.4");
	}

	static Stream<Arguments> parts() {
		return each((Object[]) Part.values()).filter((arguments) -> arguments.get()[1] == Way.DIRECT);
	}

	private static long inData(Map<String, String> left) {
		return left.values().stream().filter("in_data"::equals).count();
	}

	/**
	 * Each of them, as often as was asked for, by every way; for a look by one where it
	 * matters little.
	 */
	private static Stream<Arguments> each(Object... all) {
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(all)
				.filter((one) -> way == Way.RELAY || RUNS > 1 || MATTERS.contains(one))
				.flatMap((one) -> IntStream.range(0, RUNS).mapToObj((_) -> Arguments.of(one, way))));
	}

	/** Six mails to eighteen recipients, of whom two are refused now and two for good. */
	private static List<String> mails(Run run) {
		List<Manner> manners = List.of(Manner.TAKE, Manner.TAKE, Manner.DEFER, Manner.TAKE, Manner.REFUSE, Manner.TAKE);
		return IntStream.range(0, manners.size())
			.mapToObj((i) -> run.mail(i, manners.get(i), manners.get(i), Manner.POSTFIX))
			.toList();
	}

	private static Verdict judge(String point, Way way, Run run) throws Exception {
		Verdict verdict = run.verdict();
		TALLY.add(point, way, verdict);
		assertThat(verdict.lost()).isZero();
		return verdict;
	}

}
