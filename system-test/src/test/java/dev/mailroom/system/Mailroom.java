package dev.mailroom.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.standalone.Standalone;

/**
 * The standalone as a person starts it: a process of its own, of which only what it
 * prints and where it listens is known.
 */
final class Mailroom implements AutoCloseable {

	/** A machine that builds seven things at once starts slowly. */
	static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final Pattern PORT = Pattern.compile("(?:localhost|127\\.0\\.0\\.1):(\\d+)");

	private final List<String> printed = Collections.synchronizedList(new ArrayList<>());

	private final Process process;

	private final Path data;

	private final Thread reading;

	private Mailroom(Path data, Process process) {
		this.data = data;
		this.process = process;
		this.reading = Thread.ofVirtual().start(this::read);
	}

	/** Begins a start on ports that nobody else has, unless told otherwise. */
	static Mailroom begin(Path data, Map<String, String> settings) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-cp",
				System.getProperty("java.class.path"), Standalone.class.getName());
		Map<String, String> environment = new HashMap<>();
		for (String port : List.of("API", "ADMIN", "MANAGEMENT", "CATCHER", "MAILBOX", "PG", "KAFKA", "INBOUND",
				"SUBMISSION")) {
			environment.put("MAILROOM_" + port + "_PORT", "0");
		}
		environment.put("MAILROOM_DATA_DIR", data.toString());
		environment.putAll(settings);
		builder.environment().putAll(environment);
		return new Mailroom(data, builder.redirectErrorStream(true).start());
	}

	/** Starts it and returns once it says that it is ready. */
	static Mailroom start(Path data) throws Exception {
		return begin(data, Map.of()).ready();
	}

	Mailroom ready() throws Exception {
		Poll.until(PATIENCE, () -> says("Ctrl-C stops it.") || !this.process.isAlive());
		if (!says("Mailroom is ready.")) {
			throw new AssertionError("Mailroom did not start:\n" + output());
		}
		return this;
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			lines.lines().forEach(this.printed::add);
		}
		catch (IOException | UncheckedIOException _) {
			// The process has ended.
		}
	}

	String output() {
		return String.join("\n", List.copyOf(this.printed));
	}

	boolean says(String words) {
		return output().contains(words);
	}

	/** What stands behind a name in what it prints when it is ready. */
	String word(String name) {
		return List.copyOf(this.printed)
			.stream()
			.map(String::strip)
			.filter((line) -> line.startsWith(name + " "))
			.map((line) -> line.substring(name.length()).strip())
			.findFirst()
			.orElseThrow(() -> new AssertionError("No " + name + " in:\n" + output()));
	}

	/** The port behind a name. */
	int port(String name) {
		Matcher port = PORT.matcher(word(name));
		if (!port.find()) {
			throw new AssertionError("No port of " + name + " in:\n" + output());
		}
		return Integer.parseInt(port.group(1));
	}

	Process process() {
		return this.process;
	}

	/** Ends it as Ctrl-C does, and returns how it ended. */
	int stop() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
			throw new AssertionError("Mailroom does not stop:\n" + output());
		}
		return exitCode();
	}

	/** Waits for its end and returns how it ended. */
	int exitCode() throws InterruptedException {
		int code = this.process.waitFor();
		this.reading.join();
		return code;
	}

	/** Ends it as a power cut does. */
	void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	/** Whether a server of its own is running, with or without it. */
	boolean hasChildren() {
		return ProcessHandle.allProcesses()
			.anyMatch((other) -> other.info().commandLine().orElse("").contains("-D " + this.data.resolve("postgres")));
	}

	@Override
	public void close() throws InterruptedException {
		stop();
	}

}
