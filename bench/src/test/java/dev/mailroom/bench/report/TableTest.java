package dev.mailroom.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

import dev.mailroom.bench.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TableTest {

	private static final long SECOND = 1_000_000_000;

	@TempDir
	Path directory;

	@Test
	void ratiosAreThoseOfTheSameRound() throws IOException {
		Measurements run = run("1");
		for (int round = 1; round <= 3; round++) {
			run.add(Figure.POSTFIX, round, new Sample(100L * round, SECOND, Map.of("Postfix", 170_000L * round)));
			run.add(Figure.DELIVER_BATCH, round, new Sample(1600L * round, SECOND,
					Map.of("worker", 60_000L * round, Sample.DATABASE, 100_000L * round)));
		}
		assertThat(table(run)).contains(
				"| G4 | delivered, batches of 100 ÷ Postfix | ≥ 12 × | ≥ 15 × | **16 ×** | 16 × to 16 × | 100; 1 700 |",
				"| G6 | CPU, batches of 100 ÷ Postfix's | ≤ 1/14 | ≤ 1/24 | **1/17** | 1/17 to 1/17 | 100; 1 700 |",
				"| delivered in batches of 100, unsigned | 3 200 /s | 1 600 to 4 800 | 100 | 62.5 |");
	}

	@Test
	void aRowThatWasNotMeasuredNamesTheReason() throws IOException {
		Measurements run = run("1");
		run.missing(Figure.HARAKA, "Haraka could not be installed with npm");
		assertThat(table(run)).contains(
				"| G3 | the same ÷ Haraka | ≥ 4 × | – | not measured: Haraka could not be installed with npm | – | – |",
				"| G8 | POST /emails at half of its peak, p99 | ≤ 20 ms | ≤ 10 ms | not measured: not selected | – | – |");
	}

	@Test
	void runsAreAppendedAndNeverComparedWithEachOther() throws IOException {
		run("1").add(Figure.STEADY_P50, 1, 4.5);
		run("2").add(Figure.POSTFIX_P50, 1, 2.25);
		assertThat(table(run("3"))).contains("p50 ÷ Postfix's | ≤ 2 × | ≤ 1.30 × | not measured");
		run("4").add(Figure.STEADY_P50, 1, 4.5);
		run("4").add(Figure.POSTFIX_P50, 1, 3);
		run("5").add(Figure.STEADY_P99, 1, 40);
		assertThat(table(run("6"))).contains("p50 ÷ Postfix's | ≤ 2 × | ≤ 1.30 × | **1.50 ×**",
				"accept → 250 at 50/s, p99 | ≤ 30 ms | ≤ 15 ms | 40 ms | 40 ms to 40 ms");
	}

	@Test
	void theChartHasABarForEachRateAndGoal() throws IOException {
		Measurements run = run("1");
		run.add(Figure.ACCEPT_ONE, 1, 2000);
		run.add(Figure.PGBENCH_ONE, 1, 8000);
		assertThat(new Chart(run).svg()).startsWith("<svg")
			.contains("accepted one by one, 64 clients", "2 000/s", "G1 POST /emails", "0.25 ×")
			.endsWith("</svg>\n");
	}

	@Test
	void goalsAreSelectedByName() {
		assertThat(Goal.named(Set.of("G1", "G19"))).extracting(Goal::id).containsExactly("G1", "G19", "G19");
		assertThat(Goal.named(Set.of())).isEqualTo(Goal.ALL);
		assertThatIllegalArgumentException().isThrownBy(() -> Goal.named(Set.of("G18")))
			.withMessageContaining("CrashTest");
	}

	private Measurements run(String name) throws IOException {
		return new Measurements(this.directory.resolve("figures.csv"), name);
	}

	private static String table(Measurements measurements) {
		return new Table(measurements).markdown();
	}

}
