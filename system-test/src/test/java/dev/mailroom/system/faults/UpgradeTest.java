package dev.mailroom.system.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.admin.TenantAdmin;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.process.Program;
import dev.mailroom.system.faults.Run.Verdict;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The apps of the last release, or else of the commit before, on the schema of this one,
 * and their replacement one by one. They are built from the history of the repository.
 */
@Tag("nightly")
@Isolated("short leases need the whole machine")
class UpgradeTest {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

	@TempDir
	private static Path directory;

	@Test
	void theAppsBeforeServeTheNewSchemaAndAreReplacedWithoutLossAndWithoutCopies() throws Exception {
		Path before = build();
		try (Instances instances = new Instances(directory, (main) -> Optional.of(jar(before, main)))) {
			Run run = new Run(instances);
			try (SteadyLoad load = new SteadyLoad(instances, run)) {
				awaitMails(run, 100);
				for (Program program : instances.all()) {
					assertThat(program.stop(TIMEOUT)).isTrue();
					instances.replace(program);
					program.start();
					awaitMails(run, 20);
				}
				load.stop();
			}
			Verdict verdict = run.verdict();
			System.out.printf("upgrade: %d mails acknowledged, %d lost, %d twice%n", run.acknowledged(), verdict.lost(),
					verdict.twice());
			assertThat(verdict.lost()).isZero();
			assertThat(verdict.twice()).isZero();
			assertThat(verdict.recipients()).isEqualTo(run.acknowledged());
		}
	}

	private static void awaitMails(Run run, int more) {
		int before = run.acknowledged();
		Await.until("more mails are acknowledged", TIMEOUT, () -> run.acknowledged() >= before + more);
	}

	/** Builds the apps of the newest tag, or of the commit before this one. */
	private static Path build() throws Exception {
		String tag = output(REPOSITORY, "git", "tag", "--merged", "HEAD~1", "--sort=-creatordate").lines()
			.findFirst()
			.orElse("HEAD~1");
		String commit = output(REPOSITORY, "git", "rev-parse", tag + "^{commit}").strip();
		Path source = directory.resolve("before");
		output(REPOSITORY, "git", "clone", "--quiet", "--no-checkout", REPOSITORY.toString(), source.toString());
		output(source, "git", "checkout", "--quiet", commit);
		output(source, "mvn", "-B", "-ntp", "-q", "-DskipTests", "-pl", "platform-api,tenant-admin,delivery-worker",
				"-am", "package");
		return source;
	}

	private static Path jar(Path source, Class<?> main) {
		String module = (main == PlatformApi.class) ? "platform-api"
				: ((main == TenantAdmin.class) ? "tenant-admin" : "delivery-worker");
		try (Stream<Path> files = Files.list(source.resolve(module).resolve("target"))) {
			return files.filter((file) -> file.toString().endsWith("-app.jar")).findFirst().orElseThrow();
		}
		catch (IOException ex) {
			throw new IllegalStateException(module + " was not packaged", ex);
		}
	}

	private static String output(Path directory, String... command) throws Exception {
		Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(String.join(" ", List.of(command)) + ": " + output).isZero();
		return output;
	}

}
