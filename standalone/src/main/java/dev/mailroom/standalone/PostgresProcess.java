package dev.mailroom.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A PostgreSQL server as the operating system sees it: a process that has written its
 * number into its data directory. Ends one whose starter is gone.
 */
final class PostgresProcess {

	private static final Duration GENTLE = Duration.ofSeconds(4);

	private static final Duration FIRM = Duration.ofSeconds(2);

	private PostgresProcess() {
	}

	/**
	 * Ends the server of a data directory, where one runs: first as PostgreSQL's fast
	 * shutdown, then at once. What was committed is kept either way.
	 */
	static void end(Path data) throws IOException, InterruptedException {
		Optional<ProcessHandle> found = of(data);
		if (found.isPresent() && !ends(found.get(), "INT", GENTLE) && !ends(found.get(), "QUIT", FIRM)) {
			found.get().destroyForcibly();
			awaitEnd(found.get(), FIRM);
		}
	}

	private static Optional<ProcessHandle> of(Path data) throws IOException {
		Path file = data.resolve("postmaster.pid");
		if (Files.notExists(file)) {
			return Optional.empty();
		}
		List<String> lines = Files.readAllLines(file);
		if (lines.isEmpty() || !lines.getFirst().matches("\\d{1,9}")) {
			return Optional.empty();
		}
		// After a reboot the number may be anybody's.
		return ProcessHandle.of(Long.parseLong(lines.getFirst()))
			.filter((process) -> process.info().command().orElse("").endsWith("/postgres"));
	}

	private static boolean ends(ProcessHandle process, String signal, Duration patience)
			throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
		return awaitEnd(process, patience);
	}

	private static boolean awaitEnd(ProcessHandle process, Duration patience) throws InterruptedException {
		try {
			process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
			return true;
		}
		catch (TimeoutException _) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The end of process " + process.pid() + " cannot be seen", ex);
		}
	}

}
