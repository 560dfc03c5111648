package dev.mailroom.system.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Objects of the chart for each set of values, one line a field, compared with stored
 * files, so that every change of an object is seen in review. {@code minimal} is stored
 * as a whole, the others as their difference from it. {@code -Dchart.update=true} writes
 * the files.
 */
class RenderedChartTest {

	private static final Path STORED = Chart.SETS.resolve("rendered");

	private static final String WHOLE = "minimal";

	/** Maps that are one line. */
	private static final Set<String> SHORT = Set.of("labels", "matchLabels", "selector", "requests", "limits");

	@TempDir
	Path directory;

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void theObjectsOfTheValuesAreThoseStored(String set) throws IOException {
		Set<String> lines = lines(set);
		String text = String.join("\n", set.equals(WHOLE) ? lines : difference(lines(WHOLE), lines)) + "\n";
		Path file = STORED.resolve(set + ".txt");
		if (Boolean.getBoolean("chart.update")) {
			Files.createDirectories(STORED);
			Files.writeString(file, text);
		}
		assertThat(file).hasContent(text);
	}

	@Test
	void everyStoredFileHasItsValues() throws IOException {
		try (Stream<Path> files = Files.list(STORED)) {
			assertThat(files.map((file) -> file.getFileName().toString().replace(".txt", "")))
				.containsExactlyInAnyOrderElementsOf(Chart.sets());
		}
	}

	/** The lines that are gone and those that are new, each beside its counterpart. */
	private static List<String> difference(Set<String> before, Set<String> after) {
		Set<String> all = new TreeSet<>(before);
		all.addAll(after);
		return all.stream()
			.filter((line) -> !before.contains(line) || !after.contains(line))
			.map((line) -> (after.contains(line) ? "+ " : "- ") + line)
			.toList();
	}

	/** The fields of all objects; of rules and dashboards only those of the metadata. */
	private Set<String> lines(String set) throws IOException {
		List<String> lines = new ArrayList<>();
		for (Map<String, Object> object : Chart.with(this.directory, Chart.values(set)).objects()) {
			String name = object.get("kind") + " " + ((Map<?, ?>) object.get("metadata")).get("name");
			boolean stored = name.startsWith("PrometheusRule ") || name.contains("-dashboard-");
			((Map<?, ?>) object.get("metadata")).remove("name");
			object.forEach((key, value) -> {
				if (!key.equals("kind") && !(stored && Set.of("spec", "data").contains(key))) {
					add(lines, name + " " + key, value);
				}
			});
		}
		assertThat(lines).doesNotHaveDuplicates();
		return new TreeSet<>(lines);
	}

	private static void add(List<String> lines, String path, Object value) {
		if (value instanceof Map<?, ?> map && !SHORT.contains(path.substring(path.lastIndexOf('.') + 1))) {
			map.forEach((key, one) -> add(lines, path + "." + key, one));
		}
		else if (value instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Map) {
			for (int index = 0; index < list.size(); index++) {
				Object name = ((Map<?, ?>) list.get(index)).get("name");
				if (path.endsWith("containers")) {
					add(lines, path + "[" + name + "]", list.get(index));
				}
				else {
					lines.add(path + "[" + ((name != null) ? name : index) + "]: " + list.get(index));
				}
			}
		}
		else {
			lines.add(path + ": " + value.toString().strip().replace("\n", "\\n"));
		}
	}

}
