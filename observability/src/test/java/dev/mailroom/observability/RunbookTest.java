package dev.mailroom.observability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.TestDatabase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThatCode;

class RunbookTest {

	private static final Pattern STATEMENT = Pattern.compile("`((?:select|update|with) [^`]+)`");

	static List<String> statements() throws IOException {
		try (Stream<Path> runbooks = Files.list(Path.of("runbooks"))) {
			return Stream.concat(runbooks.sorted(), Stream.of(Path.of("../docs/operations.md")))
				.flatMap((page) -> STATEMENT.matcher(text(page)).results().map((match) -> match.group(1)))
				.toList();
		}
	}

	@ParameterizedTest
	@MethodSource("statements")
	void theStatementsOfRunbooksFitTheSchema(String statement) {
		String filled = statement.replaceAll("\\bPID\\b", "1")
			.replace("'ID'", "gen_random_uuid()")
			.replaceAll("'[A-Z ]{4,}'", "'2030-01-01T00:00:00Z'");
		assertThatCode(() -> TestDatabase.execute("mailroom", "explain " + filled)).doesNotThrowAnyException();
	}

	private static String text(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
