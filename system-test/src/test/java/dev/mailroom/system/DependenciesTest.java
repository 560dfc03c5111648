package dev.mailroom.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DependenciesTest {

	private static final Path ROOT = Path.of("..");

	@Test
	void thePageOfShippedDependenciesIsUpToDate() throws IOException {
		Path built = ROOT.resolve("standalone/target/dependencies/dependencies.md");
		assertThat(ROOT.resolve("docs/dependencies.md")).as("copy %s to docs/", built)
			.content()
			.isEqualTo(Files.readString(built));
	}

}
