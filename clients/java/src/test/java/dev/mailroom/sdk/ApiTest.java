package dev.mailroom.sdk;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The library keeps what the last published one had. */
class ApiTest {

	private static final Path CLASSES = Path.of("target/classes/dev/mailroom/sdk");

	@Test
	void nothingPublicIsRemovedOrChanged() throws Exception {
		Set<String> lines = new TreeSet<>();
		for (String name : names()) {
			Class<?> type = Class.forName("dev.mailroom.sdk." + name);
			if (isPublic(type)) {
				lines.add(line(type));
			}
		}
		Files.writeString(Path.of("target/api.txt"), String.join("\n", lines) + "\n");
		List<String> removed = new ArrayList<>();
		for (String line : Files.readAllLines(Path.of("src/test/resources/published/api.txt"))) {
			String type = line.substring(0, line.indexOf('{'));
			Set<String> now = lines.stream()
				.filter((it) -> it.startsWith(type + "{"))
				.flatMap(ApiTest::members)
				.collect(Collectors.toSet());
			members(line).filter((member) -> !now.contains(member))
				.forEach((member) -> removed.add(type + ": " + member));
		}
		assertThat(removed).as("removed since the last release").isEmpty();
	}

	private static List<String> names() throws IOException {
		try (Stream<Path> files = Files.list(CLASSES)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith(".class") && !name.startsWith("package-info"))
				.map((name) -> name.replace(".class", ""))
				.toList();
		}
	}

	private static boolean isPublic(Class<?> type) {
		return Modifier.isPublic(type.getModifiers())
				&& (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
	}

	/** The declaration of a type with its public members. */
	private static String line(Class<?> type) {
		Stream<? extends Member> declared = Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(),
				// The components of a record grow with the responses.
				type.isRecord() ? new Member[0] : type.getDeclaredConstructors())
			.flatMap(Arrays::stream);
		String members = declared
			.filter((it) -> (it.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0 && !it.isSynthetic())
			.map((it) -> (it instanceof Executable executable) ? executable.toGenericString()
					: ((Field) it).toGenericString())
			.sorted()
			.collect(Collectors.joining("; "));
		return (type.toGenericString() + " < " + type.getGenericSuperclass() + "{" + members)
			.replaceAll("\\b(dev\\.mailroom\\.sdk|java\\.[a-z.]+)\\.(?=[A-Z])", "");
	}

	private static Stream<String> members(String line) {
		return Arrays.stream(line.substring(line.indexOf('{') + 1).split("; "));
	}

}
