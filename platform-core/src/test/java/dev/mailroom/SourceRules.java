package dev.mailroom;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;

import static org.assertj.core.api.Assertions.assertThat;

/** Limits on the size of source files and packages of a module's main code. */
final class SourceRules {

	private static final int MAX_LINES = 250;

	private static final int MAX_TYPES = 20;

	/** Tests run in the directory of their module. */
	private static final Path SOURCES = Path.of("src/main/java");

	private SourceRules() {
	}

	@ArchTest
	static void filesAreShort(JavaClasses classes) {
		Set<String> tooLong = new TreeSet<>();
		for (Path source : sources()) {
			if (lines(source) > MAX_LINES) {
				tooLong.add(SOURCES.relativize(source).toString());
			}
		}
		assertThat(tooLong).as("files of more than " + MAX_LINES + " lines").isEmpty();
	}

	/** A source file holds one top-level type, and {@code package-info} holds none. */
	@ArchTest
	static void packagesAreSmall(JavaClasses classes) {
		Map<String, Long> types = sources().stream()
			.filter((source) -> !source.endsWith("package-info.java"))
			.map((source) -> SOURCES.relativize(source.getParent()).toString().replace('/', '.'))
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		types.values().removeIf((count) -> count <= MAX_TYPES);
		assertThat(types).as("packages of more than " + MAX_TYPES + " types").isEmpty();
	}

	private static Set<Path> sources() {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.collect(Collectors.toCollection(TreeSet::new));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static long lines(Path source) {
		try (Stream<String> lines = Files.lines(source)) {
			return lines.count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
