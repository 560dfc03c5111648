package dev.mailroom.bench.rows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mailroom.bench.CompilerTime;
import dev.mailroom.bench.Load;
import dev.mailroom.bench.Resources;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.profile.Profile;
import dev.mailroom.bench.report.Chart;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.bench.report.Goal;
import dev.mailroom.bench.report.Measurements;
import dev.mailroom.bench.report.Table;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures the rows of the table of goals. Each round measures every row, so that load on
 * the machine affects all of them. Values are appended to target/figures.csv, from which
 * the table and the chart of all runs are made. The test fails if mail counts do not add
 * up or if a row could not be measured.
 */
class Figures {

	/** Share of the CPU time of API and worker that JIT compilers may use once warm. */
	private static final double MAX_COMPILING = 0.05;

	private static final int MIN_CYCLES = Size.QUICK ? 1 : 2;

	private static final int CLIENTS = 64;

	/**
	 * Names of goals, separated by commas; all if empty; none to print the table only.
	 */
	private static final String ROWS = System.getProperty("figures.rows", "");

	private final List<Section> sections = List.of(new Throughput(), new Relays(), new Latency(), new Campaigns(),
			new Backlog(), new Limits(), new Stops(), new Turns(), new Lists(), new Webhooks(), new Starts(),
			new Bloat(), new Memory());

	private final List<String> failures = new CopyOnWriteArrayList<>();

	@TempDir
	Path directory;

	@Test
	void goals() throws Exception {
		((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
		Measurements measurements = new Measurements(
				Path.of(System.getProperty("figures.csv", "target/figures.csv")).toAbsolutePath(),
				Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
		if (!ROWS.equals("none")) {
			try (Resources resources = new Resources()) {
				measure(new Stack(this.directory, resources), measurements, wanted());
			}
		}
		String table = new Table(measurements).markdown();
		System.out.println("\n" + table);
		Files.writeString(Path.of("target", "figures.md"), table);
		Files.writeString(Path.of("target", "figures.svg"), new Chart(measurements).svg());
		assertThat(this.failures).isEmpty();
	}

	private static Set<Figure> wanted() {
		Set<String> names = Arrays.stream(ROWS.split(",", -1))
			.map(String::strip)
			.filter(Predicate.not(String::isEmpty))
			.collect(Collectors.toCollection(LinkedHashSet::new));
		Set<Figure> wanted = Goal.named(names)
			.stream()
			.flatMap(Goal::figures)
			.collect(Collectors.toCollection(() -> EnumSet.noneOf(Figure.class)));
		if (Size.QUICK && names.isEmpty()) {
			System.out.println("G20 is left out, because training an AOT cache takes too long");
			wanted.removeAll(new Starts().figures());
		}
		return wanted;
	}

	private void measure(Stack stack, Measurements measurements, Set<Figure> wanted) throws Exception {
		List<Section> prepared = this.sections.stream()
			.filter((section) -> section.figures().stream().anyMatch(wanted::contains))
			.toList();
		List<Section.Step> steps = prepare(stack, prepared, wanted, measurements);
		warmUp(stack, prepared);
		Optional<Profile> profile = Stack.PROFILED ? Optional.of(new Profile(stack)) : Optional.empty();
		for (int round = 1; round <= Size.ROUNDS; round++) {
			System.out.println("round " + round + " of " + Size.ROUNDS);
			for (Section.Step step : List.copyOf(steps)) {
				if (round <= step.rounds() && !run(step, new Recording(measurements, round))) {
					steps.remove(step);
				}
			}
		}
		for (Section section : prepared) {
			section.finish(new Recording(measurements, Size.ROUNDS));
		}
		stack.awaitSettled();
		if (profile.isPresent()) {
			profile.get().print();
		}
		this.failures.addAll(stack.ledger().differences(Stack.PRODUCT, stack.sink()));
	}

	/** Prepares all sections at the same time, and returns the steps in their order. */
	private List<Section.Step> prepare(Stack stack, List<Section> sections, Set<Figure> wanted,
			Measurements measurements) throws Exception {
		List<Section.Step> steps = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<List<Section.Step>>> preparations = new ArrayList<>();
			for (Section section : sections) {
				preparations.add(threads.submit(() -> prepare(stack, section, wanted, measurements)));
			}
			for (Future<List<Section.Step>> preparation : preparations) {
				steps.addAll(preparation.get());
			}
		}
		return steps;
	}

	private List<Section.Step> prepare(Stack stack, Section section, Set<Figure> wanted, Measurements measurements)
			throws IOException {
		Set<Figure> figures = EnumSet.copyOf(section.figures());
		figures.retainAll(wanted);
		List<Section.Step> steps = new ArrayList<>();
		Section.Step preparation = new Section.Step(figures, 1,
				(_) -> section.prepare(stack, wanted)
					.stream()
					.filter((step) -> step.figures().stream().anyMatch(wanted::contains))
					.forEach(steps::add));
		run(preparation, new Recording(measurements, 0));
		System.out.println("prepared " + section.getClass().getSimpleName());
		return steps;
	}

	/** Runs a step; one that fails is not measured further. */
	private boolean run(Section.Step step, Section.Recorder recorder) throws IOException {
		try {
			step.action().run(recorder);
			return true;
		}
		catch (Exception | AssertionError ex) {
			System.out.println("failed: " + step.figures() + ": " + ex);
			this.failures.add(step.figures() + ": " + ex);
			recorder.missing(step.figures(), "failed: " + ex);
			return false;
		}
	}

	/** Warms up until the compilers of API and worker take a small share of the CPU. */
	private static void warmUp(Stack stack, List<Section> sections) throws Exception {
		long deadline = System.nanoTime() + Size.WARM_SECONDS * 1_000_000_000L;
		double share = 1;
		Section.Action mails = mails(stack);
		for (int cycle = 0; (cycle < MIN_CYCLES || share > MAX_COMPILING) && System.nanoTime() < deadline; cycle++) {
			long compiling = compiling(stack.api()) + compiling(stack.worker());
			long all = stack.api().cpu() + stack.worker().cpu();
			mails.run(Recording.NONE);
			if (!Size.QUICK) {
				for (Section section : sections) {
					section.warmUp();
				}
			}
			share = (double) (compiling(stack.api()) + compiling(stack.worker()) - compiling)
					/ Math.max(1, stack.api().cpu() + stack.worker().cpu() - all);
			System.out.printf("warm-up: JIT compilers take %.0f %% of the CPU time of API and worker%n", 100 * share);
		}
	}

	/** Delivers mails of both kinds, signed. */
	private static Section.Action mails(Stack stack) throws Exception {
		Tenant tenant = stack.tenant("warm.test");
		Load singles = stack.singles(tenant, CLIENTS);
		Load batches = stack.batches(tenant, 4);
		return (_) -> {
			stack.deliver(tenant, singles, Size.WARM_POSTS, 1);
			stack.deliver(tenant, batches, Size.WARM_POSTS / 40, Stack.BATCH);
		};
	}

	private static long compiling(Program program) {
		return CompilerTime.of(program.pid());
	}

}
