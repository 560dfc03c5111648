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
 * Stops a PostgreSQL server that a killed Mailroom left running, found by the process id
 * in its {@code postmaster.pid}.
 */
final class PostgresProcess {

	private static final Duration FAST_SHUTDOWN_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration IMMEDIATE_SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

	private PostgresProcess() {
	}

	/**
	 * Stops the server of a data directory if one is running: by PostgreSQL's fast
	 * shutdown (SIGINT), then its immediate shutdown (SIGQUIT), then SIGKILL. No
	 * committed transaction is lost.
	 */
	static void end(Path data) throws IOException, InterruptedException {
		Optional<ProcessHandle> server = of(data);
		if (server.isPresent() && !signal(server.get(), "INT", FAST_SHUTDOWN_TIMEOUT)
				&& !signal(server.get(), "QUIT", IMMEDIATE_SHUTDOWN_TIMEOUT)) {
			server.get().destroyForcibly();
			awaitExit(server.get(), IMMEDIATE_SHUTDOWN_TIMEOUT);
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
		// After a reboot the process id may belong to another program.
		return ProcessHandle.of(Long.parseLong(lines.getFirst()))
			.filter((process) -> process.info().command().orElse("").endsWith("/postgres"));
	}

	private static boolean signal(ProcessHandle process, String signal, Duration timeout)
			throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
		return awaitExit(process, timeout);
	}

	private static boolean awaitExit(ProcessHandle process, Duration timeout) throws InterruptedException {
		try {
			process.onExit().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
			return true;
		}
		catch (TimeoutException _) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Cannot wait for the exit of process " + process.pid(), ex);
		}
	}

}
