package dev.mailroom.system;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** One of Mailroom's programs, as a process of its own. */
public final class Program implements AutoCloseable {

	/** On a machine that is busy with other things: one that dies is noticed at once. */
	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private final int apiPort = freePort();

	private final int managementPort = freePort();

	private final ProcessBuilder builder;

	private Process process;

	private @Nullable Process next;

	/**
	 * Starts the program and returns once it is ready for work.
	 * @param main its class
	 * @param log where it writes what it has to say
	 * @param jvm what its JVM is told
	 */
	public Program(Class<?> main, Path log, List<String> jvm, Map<String, String> settings) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
						"--enable-native-access=ALL-UNNAMED"));
		command.addAll(jvm);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		this.builder = new ProcessBuilder(command);
		this.builder.environment().putAll(settings);
		this.builder.environment()
			.putAll(Map.of("MAILROOM_API_PORT", Integer.toString(this.apiPort), "MAILROOM_MANAGEMENT_PORT",
					Integer.toString(this.managementPort)));
		this.builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
		start();
	}

	/** Starts it, on the same ports as ever, and returns once it is ready for work. */
	public void start() throws Exception {
		this.process = (this.next != null && this.next.isAlive()) ? this.next : this.builder.start();
		this.next = null;
		try (Web web = new Web(this.managementPort)) {
			Poll.until(PATIENCE, () -> isReady(web));
		}
		catch (Exception | AssertionError ex) {
			this.process.destroyForcibly();
			throw ex;
		}
	}

	/** Begins with the process that the next start is to go on with. */
	public void prepare() throws IOException {
		this.next = this.builder.start();
	}

	/** Whether there is such a process, and it has come up to where it waits. */
	public boolean isPrepared() {
		return this.next != null && this.next.isAlive();
	}

	private boolean isReady(Web web) throws Exception {
		if (!this.process.isAlive()) {
			throw new IllegalStateException("It has ended before it was ready");
		}
		try {
			return web.get("/actuator/health/readiness").status() == 200;
		}
		catch (IOException _) {
			return false;
		}
	}

	public int apiPort() {
		return this.apiPort;
	}

	/** Microseconds of CPU that it has taken so far. */
	public long cpu() {
		return Cpu.of(this.process.toHandle());
	}

	/** The most memory it has held so far, in MiB. */
	public long peakMemory() throws IOException {
		return Cpu.peakMemory(this.process.toHandle()) / 1024;
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/** Ends it as a power cut does. */
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
