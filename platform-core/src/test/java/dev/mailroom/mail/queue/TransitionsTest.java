package dev.mailroom.mail.queue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TransitionsTest {

	/** Methods that change no state. */
	private static final List<String> READERS = List.of("lock", "depth", "stopped");

	private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)`[^|]*\\|", Pattern.MULTILINE);

	@Test
	void theDocumentationListsEachTransition() throws IOException {
		String document = Files.readString(Path.of("../docs/queue.md"));
		int start = document.indexOf("\n## Transitions\n");
		String table = document.substring(start, document.indexOf("\n## ", start + 1));
		Set<String> documented = ROW.matcher(table)
			.results()
			.map((MatchResult row) -> row.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> transitions = Arrays.stream(Transitions.class.getDeclaredMethods())
			.filter((method) -> !Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic())
			.map(Method::getName)
			.filter((name) -> !READERS.contains(name))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(documented).isEqualTo(transitions);
	}

}
