package dev.mailroom.process;

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

import dev.mailroom.Await;
import dev.mailroom.standalone.Standalone;

/** A standalone process, known only by its output and its ports. */
public final class Mailroom implements AutoCloseable {

	/** Limit on start and stop on a busy machine. */
	public static final Duration TIMEOUT = Duration.ofMinutes(3);

	private static final Pattern PORT = Pattern.compile("(?:localhost|127\\.0\\.0\\.1):(\\d+)");

	private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

	private final Process process;

	private final Path data;

	private final Thread reader;

	private Mailroom(Path data, Process process) {
		this.data = data;
		this.process = process;
		this.reader = Thread.ofVirtual().start(this::read);
	}

	/** Starts a process with free ports unless the settings name others. */
	public static Mailroom begin(Path data, Map<String, String> settings) throws IOException {
		return begin(data, ClassArchive.options(), settings);
	}

	/** Starts a process with further options of the JVM. */
	public static Mailroom begin(Path data, List<String> jvm, Map<String, String> settings) throws IOException {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+ExitOnOutOfMemoryError",
				"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-Xmx512m"));
		command.addAll(jvm);
		command.addAll(List.of("-cp", ClassArchive.CLASS_PATH, Standalone.class.getName()));
		ProcessBuilder builder = new ProcessBuilder(command);
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

	/** Starts a process and waits until it reports that it is ready. */
	public static Mailroom start(Path data) throws Exception {
		return begin(data, Map.of()).ready();
	}

	public Mailroom ready() throws Exception {
		return ready(TIMEOUT);
	}

	/** Waits until the process reports that it is ready. */
	public Mailroom ready(Duration timeout) throws Exception {
		Await.until("Mailroom is ready or ends", timeout, () -> prints("Ctrl-C stops it.") || !this.process.isAlive());
		if (!prints("Mailroom is ready.")) {
			throw new AssertionError("Mailroom did not start:\n" + output());
		}
		return this;
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader()) {
			reader.lines().forEach(this.lines::add);
		}
		catch (IOException | UncheckedIOException _) {
			// The process has ended.
		}
	}

	public String output() {
		return String.join("\n", List.copyOf(this.lines));
	}

	public boolean prints(String text) {
		return output().contains(text);
	}

	/** Value after a name in the output. */
	public String word(String name) {
		return List.copyOf(this.lines)
			.stream()
			.map(String::strip)
			.filter((line) -> line.startsWith(name + " "))
			.map((line) -> line.substring(name.length()).strip())
			.findFirst()
			.orElseThrow(() -> new AssertionError("No " + name + " in:\n" + output()));
	}

	/** Port after a name in the output. */
	public int port(String name) {
		Matcher port = PORT.matcher(word(name));
		if (!port.find()) {
			throw new AssertionError("No port of " + name + " in:\n" + output());
		}
		return Integer.parseInt(port.group(1));
	}

	public Process process() {
		return this.process;
	}

	/** Stops the process with SIGTERM and returns its exit code. */
	public int stop() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
			throw new AssertionError("Mailroom did not stop:\n" + output());
		}
		return exitCode();
	}

	/** Waits for the end of the process and returns its exit code. */
	public int exitCode() throws InterruptedException {
		int code = this.process.waitFor();
		this.reader.join();
		return code;
	}

	/** Kills the process. */
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	/** Whether its PostgreSQL server is running. */
	public boolean hasChildren() {
		return ProcessHandle.allProcesses()
			.anyMatch((other) -> other.info().commandLine().orElse("").contains("-D " + this.data.resolve("postgres")));
	}

	@Override
	public void close() throws InterruptedException {
		stop();
	}

}
