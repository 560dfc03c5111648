package dev.mailroom.system.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of all runs: a line for each point. */
final class ResultTable {

	private final Map<Line, int[]> lines = new LinkedHashMap<>();

	/** Adds a run and writes all results, so that an aborted test leaves them. */
	void add(String point, SendMode mode, Run.Verdict verdict) throws IOException {
		int[] line = this.lines.computeIfAbsent(new Line(point, mode.name().toLowerCase(Locale.ROOT)),
				(_) -> new int[5]);
		line[0]++;
		line[1] += verdict.recipients();
		line[2] += verdict.lost();
		line[3] += verdict.twice();
		line[4] += verdict.possible();
		write();
	}

	private void write() throws IOException {
		List<String> csv = new ArrayList<>(List.of("point,transport,runs,recipients,lost,twice,unanswered"));
		this.lines.forEach((key, line) -> csv.add("\"%s\",%s,%d,%d,%d,%d,%d".formatted(key.point(), key.mode(), line[0],
				line[1], line[2], line[3], line[4])));
		Files.write(Path.of("target", "faults.csv"), csv);
	}

	/** Prints the table. */
	void report() {
		System.out.printf("%n%-36s %-9s %5s %10s %5s %6s %10s%n", "killed", "transport", "runs", "recipients", "lost",
				"twice", "unanswered");
		this.lines.forEach((key, line) -> System.out.printf("%-36s %-9s %5d %10d %5d %6d %10d%n", key.point(),
				key.mode(), line[0], line[1], line[2], line[3], line[4]));
	}

	private record Line(String point, String mode) {
	}

}
