package dev.mailroom.system.deployment;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The artifacts of a release: libraries, the command and the npm package. */
@Tag("nightly")
class ReleaseTest {

	@Test
	void aReleaseIsCompleteAndTwoBuildsAreEqual(@TempDir Path directory) throws Exception {
		Process process = new ProcessBuilder("node", "../build/release.mjs", directory.resolve("staging").toString())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		assertThat(output).contains("equal in two builds");
	}

}
