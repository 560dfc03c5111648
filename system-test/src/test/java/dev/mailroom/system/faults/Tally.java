package dev.mailroom.system.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table that comes of all runs: a line for each point. */
final class Tally {

	private final Map<String, int[]> lines = new LinkedHashMap<>();

	void add(String point, Run.Verdict verdict) {
		int[] line = this.lines.computeIfAbsent(point, (_) -> new int[5]);
		line[0]++;
		line[1] += verdict.recipients();
		line[2] += verdict.lost();
		line[3] += verdict.twice();
		line[4] += verdict.possible();
	}

	/** Prints it, and keeps it beside what else the build has made. */
	void report() throws IOException {
		List<String> csv = new ArrayList<>(List.of("point,runs,recipients,lost,twice,unanswered"));
		System.out.printf("%n%-34s %6s %10s %6s %6s %10s%n", "killed", "runs", "recipients", "lost", "twice",
				"unanswered");
		this.lines.forEach((point, line) -> {
			System.out.printf("%-34s %6d %10d %6d %6d %10d%n", point, line[0], line[1], line[2], line[3], line[4]);
			csv.add("\"%s\",%d,%d,%d,%d,%d".formatted(point, line[0], line[1], line[2], line[3], line[4]));
		});
		Files.write(Path.of("target", "faults.csv"), csv);
	}

}
