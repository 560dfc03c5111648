package dev.mailroom.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.mailroom.Await;
import org.jspecify.annotations.Nullable;

/** One of Mailroom's apps as a separate process. */
public final class Program implements AutoCloseable {

	/** Features of the admin app, whose libraries are on the class path of the tests. */
	private static final String OTHER_APPS = "org.springframework.boot.graphql.autoconfigure.GraphQlAutoConfiguration,"
			+ "org.springframework.boot.graphql.autoconfigure.reactive.GraphQlWebFluxAutoConfiguration,"
			+ "org.springframework.boot.graphql.autoconfigure.observation.GraphQlObservationAutoConfiguration";

	/**
	 * The auto-configurations that a worker excludes: those of other apps, and security,
	 * which is not in its own class path and would close its metrics.
	 */
	public static final String WORKER_EXCLUSIONS = OTHER_APPS
			+ ",org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.actuate.web.reactive."
			+ "ReactiveManagementWebSecurityAutoConfiguration";

	/** Characters of the output that an error shows. */
	private static final int MAX_OUTPUT = 4_000;

	/** Limit on a start on a busy machine; the end of the process is noticed at once. */
	private static final Duration START_TIMEOUT = Duration.ofMinutes(10);

	private final int apiPort = freePort();

	private final int managementPort = freePort();

	private final Path log;

	private final ProcessBuilder builder;

	private Process process;

	private @Nullable Process next;

	/**
	 * Starts the program and waits until it is ready.
	 * @param main main class
	 * @param log file for its output
	 * @param jvm JVM options
	 * @param settings environment variables
	 */
	public Program(Class<?> main, Path log, List<String> jvm, Map<String, String> settings) throws Exception {
		this(log, arguments(main, jvm), settings);
	}

	/**
	 * Starts a packaged program and waits until it is ready.
	 * @param log file for its output
	 * @param arguments arguments of java
	 * @param settings environment variables
	 */
	public Program(Path log, List<String> arguments, Map<String, String> settings) throws Exception {
		this.log = log;
		this.builder = new ProcessBuilder(command(arguments));
		this.builder.environment().put("SPRING_AUTOCONFIGURE_EXCLUDE", OTHER_APPS);
		this.builder.environment()
			.putAll(Map.of("MAILROOM_API_PORT", Integer.toString(this.apiPort), "MAILROOM_ADMIN_PORT",
					Integer.toString(this.apiPort), "MAILROOM_MANAGEMENT_PORT", Integer.toString(this.managementPort)));
		this.builder.environment().putAll(settings);
		this.builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
		start();
	}

	private static List<String> arguments(Class<?> main, List<String> jvm) {
		return Stream.concat(jvm.stream(), Stream.of("-cp", ClassArchive.CLASS_PATH, main.getName())).toList();
	}

	private static List<String> command(List<String> arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
						"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
		command.addAll(arguments);
		return command;
	}

	/** Replaces a packaged program by the one under test, from the next start on. */
	public void replace(Class<?> main, List<String> jvm) {
		this.builder.command(command(arguments(main, jvm)));
	}

	/** Starts the program on the same ports and waits until it is ready. */
	public void start() throws Exception {
		this.process = (this.next != null && this.next.isAlive()) ? this.next : this.builder.start();
		this.next = null;
		try (Web web = new Web(this.managementPort)) {
			Await.until("the program is ready", START_TIMEOUT, () -> isReady(web));
		}
		catch (Exception | AssertionError ex) {
			this.process.destroyForcibly();
			throw ex;
		}
	}

	/** Starts the process that the next {@link #start()} continues with. */
	public void prepare() throws IOException {
		this.next = this.builder.start();
	}

	/** Whether a prepared process is running. */
	public boolean isPrepared() {
		return this.next != null && this.next.isAlive();
	}

	private boolean isReady(Web web) throws Exception {
		if (!this.process.isAlive()) {
			String output = Files.readString(this.log);
			throw new IllegalStateException("The program ended before it was ready: "
					+ output.substring(Math.max(0, output.length() - MAX_OUTPUT)));
		}
		try {
			return web.get("/actuator/health/readiness").status() == 200;
		}
		catch (IOException _) {
			return false;
		}
	}

	/** Status of a path of the management port. */
	public int health(String path) throws Exception {
		try (Web web = new Web(this.managementPort)) {
			return web.get("/actuator/health" + path).status();
		}
	}

	/** Sum of the series of a metric. */
	public double metric(String name) throws Exception {
		try (Web web = new Web(this.managementPort)) {
			return web.get("/actuator/prometheus")
				.body()
				.lines()
				.filter((line) -> line.startsWith(name + "{") || line.startsWith(name + " "))
				.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
				.sum();
		}
	}

	/** Port of the API, or of the admin app. */
	public int apiPort() {
		return this.apiPort;
	}

	public long pid() {
		return this.process.pid();
	}

	/** CPU time in microseconds. */
	public long cpu() {
		return Cpu.of(this.process.toHandle());
	}

	/** Peak resident memory in MiB. */
	public long peakMemory() throws IOException {
		return Cpu.peakMemory(this.process.toHandle()) / 1024;
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Stops the process with SIGTERM.
	 * @return whether it ended in time
	 */
	public boolean stop(Duration timeout) throws InterruptedException {
		this.process.destroy();
		return this.process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Kills the process. */
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	@Override
	public void close() throws InterruptedException {
		if (this.next != null) {
			this.next.destroyForcibly().waitFor();
		}
		this.process.destroy();
		this.process.waitFor();
	}

	private static int freePort() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

}
