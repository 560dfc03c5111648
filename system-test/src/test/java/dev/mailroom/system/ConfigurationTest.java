package dev.mailroom.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationTest {

	private static final Path ROOT = Path.of("..");

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{(MAILROOM_[A-Z0-9_]+)");

	private static final List<String> FILES = List.of("platform-api/src/main/resources/platform-api.yaml",
			"tenant-admin/src/main/resources/tenant-admin.yaml",
			"delivery-worker/src/main/resources/delivery-worker.yaml", "standalone/src/main/resources/standalone.yaml");

	@Test
	void everyVariableOfEveryAppIsDocumented() throws IOException {
		String page = Files.readString(ROOT.resolve("docs/configuration.md"));
		List<String> missing = new ArrayList<>();
		for (String file : FILES) {
			Matcher variables = VARIABLE.matcher(Files.readString(ROOT.resolve(file)));
			while (variables.find()) {
				if (!page.contains("`" + variables.group(1) + "`")) {
					missing.add(variables.group(1));
				}
			}
		}
		assertThat(missing).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "platform-api/src/main/resources/platform-api.yaml",
			"tenant-admin/src/main/resources/tenant-admin.yaml",
			"delivery-worker/src/main/resources/delivery-worker.yaml",
			"standalone/src/main/resources/standalone.yaml" })
	void aVariableAppearsOnceInItsFile(String file) throws IOException {
		Matcher variables = VARIABLE.matcher(Files.readString(ROOT.resolve(file)));
		List<String> names = new ArrayList<>();
		while (variables.find()) {
			names.add(variables.group(1));
		}
		assertThat(names).isNotEmpty().doesNotHaveDuplicates();
	}

}
