package dev.mailroom.system.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table that comes of all runs: a line for each point. */
final class Tally {

	private final Map<Line, int[]> lines = new LinkedHashMap<>();

	/**
	 * Adds a run, and keeps all of them at once: a course that is cut short was not in
	 * vain.
	 */
	void add(String point, Way way, Run.Verdict verdict) throws IOException {
		int[] line = this.lines.computeIfAbsent(new Line(point, way.name().toLowerCase(Locale.ROOT)),
				(_) -> new int[5]);
		line[0]++;
		line[1] += verdict.recipients();
		line[2] += verdict.lost();
		line[3] += verdict.twice();
		line[4] += verdict.possible();
		keep();
	}

	private void keep() throws IOException {
		List<String> csv = new ArrayList<>(List.of("point,transport,runs,recipients,lost,twice,unanswered"));
		this.lines.forEach((at, line) -> csv.add("\"%s\",%s,%d,%d,%d,%d,%d".formatted(at.point(), at.way(), line[0],
				line[1], line[2], line[3], line[4])));
		Files.write(Path.of("target", "faults.csv"), csv);
	}

	/** Prints it. */
	void report() {
		System.out.printf("%n%-36s %-9s %5s %10s %5s %6s %10s%n", "killed", "transport", "runs", "recipients", "lost",
				"twice", "unanswered");
		this.lines.forEach((at, line) -> System.out.printf("%-36s %-9s %5d %10d %5d %6d %10d%n", at.point(), at.way(),
				line[0], line[1], line[2], line[3], line[4]));
	}

	private record Line(String point, String way) {
	}

}
