package dev.mailroom.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.load.installation.Client;
import dev.mailroom.load.installation.Target;

/** Metrics of the installation. */
final class Metrics {

	private static final Pattern HEAP = Pattern
		.compile("jvm_memory_used_bytes\\{.*area=\"heap\".*id=\"([^\"]*)\".*\\} (\\S+)");

	private final Client client;

	Metrics(Target target) {
		this.client = new Client(target.management(), () -> "");
	}

	/**
	 * Memory in use in the heap, garbage included, in megabytes. The apps of a standalone
	 * each report the same heap.
	 */
	long heapMegabytes() {
		return (long) this.client.text("/actuator/prometheus")
			.lines()
			.map(HEAP::matcher)
			.filter(Matcher::matches)
			.collect(Collectors.toMap((line) -> line.group(1), (line) -> Double.parseDouble(line.group(2)) / 1e6,
					Math::max))
			.values()
			.stream()
			.mapToDouble(Double::doubleValue)
			.sum();
	}

}
