package dev.mailroom.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Checks the model of the delivery protocol with Spin, for few faults. Each of its
 * mutants, which lack one mechanism of the protocol, must violate a property.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeliveryModelTest {

	private static final Path MODEL = Path.of("../docs/model/delivery.pml").toAbsolutePath().normalize();

	private static final long TIMEOUT_SECONDS = 300;

	@TempDir
	private Path directory;

	@BeforeAll
	static void spinIsInstalled() {
		for (String program : List.of("spin", "cc")) {
			boolean installed = Stream.of(System.getenv("PATH").split(":"))
				.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
			String message = "SKIPPED: " + program
					+ " is not installed (Debian packages spin and gcc), the model of the "
					+ "delivery protocol is not checked";
			if (!installed) {
				System.err.println(message);
			}
			assumeTrue(installed, message);
		}
	}

	@Test
	void noAssertionIsViolated() throws Exception {
		assertThat(safety("-DFAULTS=2", "-DACTIONS=1", "-DATTEMPTS=1")).contains("errors: 0");
	}

	@Test
	void everyAcceptedMailIsFinished() throws Exception {
		assertThat(liveness("-DFAULTS=1", "-DACTIONS=1", "-DATTEMPTS=1")).contains("errors: 0");
	}

	@Test
	void copiesAreNotBoundedWithoutTheFence() throws Exception {
		assertThat(safety("-DFAULTS=2", "-DATTEMPTS=1", "-DNO_FENCE"))
			.contains("assertion violated (copies<=(1+ambiguous))");
	}

	@Test
	void oldSettlementsHaveAnEffectWithoutEpochs() throws Exception {
		assertThat(safety("-DFAULTS=2", "-DATTEMPTS=2", "-DNO_EPOCH")).contains("assertion violated");
	}

	@Test
	void oldSettlementsHaveAnEffectIfTheRecoveryKeepsTheEpoch() throws Exception {
		assertThat(safety("-DFAULTS=2", "-DATTEMPTS=2", "-DNO_BUMP")).contains("assertion violated");
	}

	@Test
	void oldSettlementsHaveAnEffectIfRequeuedMailHasTheFirstEpoch() throws Exception {
		assertThat(safety("-DFAULTS=2", "-DACTIONS=2", "-DATTEMPTS=1", "-DNO_FRESH_EPOCH"))
			.contains("assertion violated");
	}

	@Test
	void heldMailIsSentIfTheFenceDoesNotCheckTheState() throws Exception {
		assertThat(safety("-DFAULTS=1", "-DATTEMPTS=1", "-DNO_READY")).contains("assertion violated");
	}

	@Test
	void pausesAreNotExactIfHoldingKeepsTheEpoch() throws Exception {
		assertThat(safety("-DFAULTS=1", "-DACTIONS=2", "-DATTEMPTS=1", "-DKEEP_EPOCH"))
			.contains("assertion violated (campaign!=");
	}

	@Test
	void pausesAreNotExactIfSomeMailsAreHeldOnly() throws Exception {
		assertThat(safety("-DFAULTS=1", "-DATTEMPTS=1", "-DPART_HELD")).contains("assertion violated (campaign!=");
	}

	@Test
	void unusedClaimsAreAmbiguousIfTheirReturnDoesNotWaitForTheFence() throws Exception {
		assertThat(safety("-DFAULTS=1", "-DACTIONS=0", "-DATTEMPTS=1", "-DUNFENCE_UNLOCKED"))
			.contains("assertion violated (ambiguous<=unrecorded)");
	}

	@Test
	void mailsAreLostWithoutTheRecoveryOfHandOvers() throws Exception {
		assertThat(liveness("-DFAULTS=1", "-DACTIONS=0", "-DATTEMPTS=1", "-DNO_RECOVERY")).contains("acceptance cycle");
	}

	@Test
	void mailsAreLostIfNewDispatchersDoNotSearchForHandOvers() throws Exception {
		assertThat(liveness("-DFAULTS=2", "-DACTIONS=0", "-DATTEMPTS=1", "-DNO_WALK")).contains("acceptance cycle");
	}

	private String safety(String... options) throws IOException, InterruptedException {
		return check(options, List.of("-DSAFETY", "-DNOCLAIM"), List.of());
	}

	private String liveness(String... options) throws IOException, InterruptedException {
		return check(options, List.of("-DNFAIR=3"), List.of("-a", "-f"));
	}

	/** Generates, compiles and runs the verifier; returns its report. */
	private String check(String[] options, List<String> compilerOptions, List<String> verifierOptions)
			throws IOException, InterruptedException {
		List<String> spin = new ArrayList<>(List.of("spin", "-a"));
		spin.addAll(List.of(options));
		spin.add(MODEL.toString());
		run(spin);
		List<String> compiler = new ArrayList<>(List.of("cc", "-w", "-O1"));
		compiler.addAll(compilerOptions);
		compiler.addAll(List.of("-o", "pan", "pan.c"));
		run(compiler);
		List<String> verifier = new ArrayList<>(List.of("./pan", "-m100000"));
		verifier.addAll(verifierOptions);
		String report = run(verifier);
		assertThat(report).contains("states, stored").doesNotContain("max search depth too small");
		return report;
	}

	private String run(List<String> command) throws IOException, InterruptedException {
		Path output = Files.createTempFile(this.directory, "output", ".txt");
		Process process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("%s ended", command).isTrue();
			String text = Files.readString(output, StandardCharsets.UTF_8);
			assertThat(process.exitValue()).as(text).isZero();
			return text;
		}
		finally {
			process.destroyForcibly();
		}
	}

}
