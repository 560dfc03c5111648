package dev.mailroom.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The tests that SECURITY.md names as proof of the defences. */
class SecurityDocumentTest {

	private static final Path ROOT = Path.of("..");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+) \\| ([^|]+) \\|$");

	private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

	private static final Pattern FUZZ_TARGET = Pattern.compile("@FuzzTest\\([^)]*\\)\\s+void (\\w+)\\(");

	private static final Pattern SHORT_RUN = Pattern.compile("Mutations\\.check\\(getClass\\(\\), \"(\\w+)\"");

	@Test
	void eachDefenceNamesTestsThatExist() throws IOException {
		Map<String, Path> tests = tests();
		List<MatchResult> rows = ROW.matcher(document())
			.results()
			.filter((row) -> !row.group(1).equals("defence") && !row.group(1).startsWith("---"))
			.toList();
		assertThat(rows).hasSizeGreaterThan(40).allSatisfy((row) -> {
			List<String> named = TEST.matcher(row.group(2)).results().map((test) -> test.group(1)).toList();
			assertThat(named).as(row.group(1)).isNotEmpty();
			assertThat(tests.keySet()).as(row.group(1)).containsAll(named);
		});
	}

	@Test
	void eachFuzzTargetIsNamedAndHasACorpusAndAShortRunInTheBuild() throws IOException {
		String document = document();
		Map<String, Path> tests = tests();
		List<String> fuzzed = tests.keySet().stream().filter((name) -> name.endsWith("FuzzTest")).toList();
		assertThat(fuzzed).hasSizeGreaterThan(10);
		for (String name : fuzzed) {
			assertThat(document).contains("`" + name + "`");
			String source = Files.readString(tests.get(name));
			List<String> targets = FUZZ_TARGET.matcher(source).results().map((target) -> target.group(1)).toList();
			assertThat(targets).as(name).isNotEmpty();
			assertThat(SHORT_RUN.matcher(source).results().map((run) -> run.group(1))).as(name)
				.containsExactlyInAnyOrderElementsOf(targets);
			for (String target : targets) {
				Path corpus = Path
					.of(tests.get(name)
						.toString()
						.replace("src/test/java", "src/test/resources")
						.replace(".java", "Inputs"))
					.resolve(target);
				assertThat(corpus).isNotEmptyDirectory();
			}
		}
	}

	private static String document() throws IOException {
		return Files.readString(ROOT.resolve("SECURITY.md"));
	}

	/** The tests of all modules, by their names. */
	private static Map<String, Path> tests() throws IOException {
		try (Stream<Path> modules = Files.list(ROOT)) {
			return modules.map((module) -> module.resolve("src/test/java"))
				.filter(Files::isDirectory)
				.flatMap(SecurityDocumentTest::sources)
				.collect(Collectors.toMap((source) -> source.getFileName().toString().replace(".java", ""),
						(source) -> source, (first, _) -> first));
		}
	}

	private static Stream<Path> sources(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.getFileName().toString().endsWith("Test.java")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
