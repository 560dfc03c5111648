package dev.mailroom.system.faults;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.system.faults.Run.Verdict;
import dev.mailroom.system.faults.Storm.Part;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ends a program at each point of the crash table and checks the state that it leaves. In
 * the end no mail is lost, and none has more additional copies than attempts without a
 * reply. Mail is sent through a relay, and directly to four domains on three hosts, one
 * of them Postfix's if it is installed.
 */
@ExtendWith(SharedInstallation.class)
@Isolated("short leases need the whole machine")
class CrashTest {

	/** Runs of each point. */
	private static final int RUNS = Integer.getInteger("faults.runs", 1);

	/**
	 * Whether all rows are tested ({@code mvn -Pfaults test}), or those of every build.
	 */
	private static final boolean ALL = RUNS > 1 || Boolean.getBoolean("faults.all");

	/**
	 * Rows that every build tests with mail that is sent directly, and not by the relay.
	 */
	private static final Set<Object> DIRECT = Set.of(Point.FENCED, Behavior.HOLD_ANSWER);

	/**
	 * Rows that not every build tests: they leave the same state as another row, or end
	 * programs under load, as {@link CampaignStormTest} and {@link Storm} do.
	 */
	private static final Set<Object> VARIANTS = Set.of(Point.LEASED, Point.TAKEN, Point.SETTLING, Behavior.HOLD_BODY,
			Part.WORKER, Part.API, Part.BROKER, Part.DATABASE);

	private static final int LARGE_BYTES = 7_000_000;

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final ResultTable TALLY = new ResultTable();

	private static Installation installation;

	@BeforeAll
	static void start(Installation shared) {
		installation = shared;
	}

	@BeforeEach
	void restore() throws Exception {
		installation.restore();
	}

	@AfterAll
	static void report() {
		TALLY.report();
	}

	@ParameterizedTest
	@MethodSource("apiPoints")
	void anApiCrashLosesNoMailAndAcceptsNoneTwice(Point point, SendMode mode) throws Exception {
		installation.use(mode);
		Run run = new Run(installation);
		installation.api().crashAt(point);
		Run.Posting posting = run.posting(mails(run));
		installation.api().awaitCrash();
		assertThat(run.mails()).matches((mails) -> (mails > 0) == (point == Point.API_BEFORE_ANSWER), "left behind");
		installation.api().restart();
		posting.join();
		assertThat(run.mails()).isEqualTo(6);
		Verdict verdict = check(point.description(), mode, run);
		assertThat(verdict.twice()).isZero();
		assertThat(verdict.possible()).isZero();
	}

	static Stream<Arguments> apiPoints() {
		return each(Point.API_BEFORE_COMMIT, Point.API_BEFORE_ANSWER);
	}

	@ParameterizedTest
	@MethodSource("workerPoints")
	void aWorkerCrashLosesNoMail(Point point, SendMode mode) throws Exception {
		installation.use(mode);
		Run run = new Run(installation);
		installation.worker().crashAt(point);
		run.post(mails(run));
		installation.worker().awaitCrash();
		Map<String, String> left = run.left();
		assertThat(left.values()).anyMatch(point::leaves);
		installation.expireHandOvers();
		installation.worker().restart();
		Verdict verdict = check(point.description(), mode, run);
		assertThat(verdict.possible()).isEqualTo(inData(left));
		assertThat(verdict.twice()).matches((twice) -> twice == 0 || !point.isBeforeData(), "twice");
	}

	static Stream<Arguments> workerPoints() {
		return each(Stream.of(Point.values()).filter(Point::isWorkers).toArray());
	}

	@ParameterizedTest
	@MethodSource("stopped")
	void aMailInterruptedByACrashIsSentAgain(Behavior behavior, SendMode mode) throws Exception {
		installation.use(mode);
		Run run = new Run(installation);
		run.post(List.of(run.mail(1, behavior, 1, LARGE_BYTES)));
		Await.until("the mail is stopped", TIMEOUT, installation.smtp()::isHolding);
		run.post(List.of(run.mail(2, Behavior.TAKE, Behavior.TAKE, Behavior.POSTFIX)));
		run.awaitOpen(1);
		installation.worker().kill();
		Map<String, String> left = run.left();
		installation.smtp().behave();
		installation.expireHandOvers();
		installation.worker().restart();
		boolean received = behavior == Behavior.HOLD_ANSWER;
		Verdict verdict = check(received ? "dot sent, no reply" : "half of the body sent", mode, run);
		assertThat(verdict.twice()).isEqualTo(received ? 1 : 0);
		assertThat(verdict.possible()).isEqualTo(inData(left)).isOne();
	}

	static Stream<Arguments> stopped() {
		return each(Behavior.HOLD_BODY, Behavior.HOLD_ANSWER);
	}

	@ParameterizedTest
	@MethodSource("modes")
	void aMailWithoutAReplyIsSentAgain(SendMode mode) throws Exception {
		installation.use(mode);
		Run run = new Run(installation);
		run.post(List.of(run.mail(1, Behavior.DROP), run.mail(2, Behavior.STALL),
				run.mail(3, Behavior.TAKE, Behavior.TAKE, Behavior.TAKE, Behavior.POSTFIX)));
		Verdict verdict = check("no crash, no reply to the dot", mode, run);
		assertThat(verdict.twice()).isEqualTo(2);
		assertThat(verdict.possible()).isEqualTo(2);
	}

	@ParameterizedTest(allowZeroInvocations = true)
	@MethodSource("modesOfAllRows")
	void deletingTheTopicLosesNoMail(SendMode mode) throws Exception {
		installation.use(mode);
		Run run = new Run(installation);
		Run.Posting posting = run.posting(IntStream.range(0, 40)
			.mapToObj((n) -> run.mail(n, Behavior.TAKE, Behavior.TAKE, Behavior.DEFER, Behavior.POSTFIX,
					Behavior.POSTFIX))
			.toList());
		installation.topic().delete();
		posting.join();
		assertThat(check("topic deleted", mode, run).twice()).isZero();
	}

	@ParameterizedTest
	@MethodSource("modes")
	void replayedRecordsSendNoMailAgain(SendMode mode) throws Exception {
		installation.use(mode);
		Run run = new Run(installation);
		run.post(mails(run));
		run.verdict();
		installation.topic().replay();
		assertThat(check("settled, record replayed", mode, run).twice()).isZero();
	}

	/** {@link CampaignStormTest} deletes the topic in every build. */
	static Stream<Arguments> modesOfAllRows() {
		return ALL ? modes() : Stream.empty();
	}

	static Stream<Arguments> modes() {
		return each("").map((arguments) -> Arguments.of(arguments.get()[1]));
	}

	/** Directly only; {@link Storm} covers the relay. */
	@ParameterizedTest(allowZeroInvocations = true)
	@MethodSource("parts")
	void mailToSeveralHostsArrivesAfterACrashUnderLoad(Part part, SendMode mode) throws Exception {
		installation.use(mode);
		Run run = new Run(installation);
		Run.Posting posting = run.posting(IntStream.range(0, 60).mapToObj(run::mailToSeveralHosts).toList());
		Await.until("20 mails are acknowledged", TIMEOUT, () -> run.acknowledged() >= 20);
		part.kill(installation);
		part.start(installation);
		posting.join();
		check(part.name().toLowerCase(Locale.ROOT) + " under load", mode, run);
		assertThat(run.routes()).containsExactly("mx 127.0.0.2", "mx 127.0.0.3", "mx 127.0.0.4");
	}

	static Stream<Arguments> parts() {
		return each((Object[]) Part.values()).filter((arguments) -> arguments.get()[1] == SendMode.DIRECT);
	}

	private static long inData(Map<String, String> left) {
		return left.values().stream().filter("in_data"::equals).count();
	}

	/** The arguments with each transport, or those of every build with one of them. */
	private static Stream<Arguments> each(Object... values) {
		return Stream.of(SendMode.values())
			.flatMap((mode) -> Stream.of(values)
				.filter((value) -> ALL
						|| (!VARIANTS.contains(value) && DIRECT.contains(value) == (mode == SendMode.DIRECT)))
				.flatMap((value) -> IntStream.range(0, RUNS).mapToObj((_) -> Arguments.of(value, mode))));
	}

	/** Six mails to 18 recipients: two are deferred and two refused permanently. */
	private static List<String> mails(Run run) {
		List<Behavior> behaviors = List.of(Behavior.TAKE, Behavior.TAKE, Behavior.DEFER, Behavior.TAKE, Behavior.REFUSE,
				Behavior.TAKE);
		return IntStream.range(0, behaviors.size())
			.mapToObj((i) -> run.mail(i, behaviors.get(i), behaviors.get(i), Behavior.POSTFIX))
			.toList();
	}

	private static Verdict check(String point, SendMode mode, Run run) throws Exception {
		Verdict verdict = run.verdict();
		TALLY.add(point, mode, verdict);
		assertThat(verdict.lost()).isZero();
		return verdict;
	}

}
