package dev.mailroom.worker;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Scripts that use dkimpy, which Debian's package python3-dkim has. */
public final class Dkimpy {

	private static final Path PYTHON = Path.of("/usr/bin/python3");

	private Dkimpy() {
	}

	public static boolean isInstalled() throws Exception {
		return Files.isExecutable(PYTHON) && run("import dkim").isEmpty();
	}

	/** Runs a script; its output. */
	public static String run(String script, String... arguments) throws Exception {
		Process process = new ProcessBuilder(
				Stream.concat(Stream.of(PYTHON.toString(), "-c", script), List.of(arguments).stream()).toList())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return output;
	}

}
