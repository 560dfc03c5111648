package dev.mailroom.system;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.mailroom.standalone.BrokerAlone;

/** A Kafka broker that can be killed and restarted with its log. */
public final class Broker implements AutoCloseable {

	private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

	private final int port = freePort();

	private final ProcessBuilder builder;

	private Process process;

	/** Starts a broker without the C2 compiler, which a test does not need. */
	public Broker(Path directory) throws Exception {
		this(directory, List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx300m"));
	}

	/** Starts a broker with JVM options. */
	public Broker(Path directory, List<String> jvm) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(jvm);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), BrokerAlone.class.getName(),
				directory.resolve("kafka").toString(), Integer.toString(this.port), Integer.toString(freePort())));
		this.builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(directory.resolve("broker.log").toFile()));
		start();
	}

	public void start() throws Exception {
		this.process = this.builder.start();
		Poll.until(START_TIMEOUT, this::answers);
	}

	private boolean answers() {
		if (!this.process.isAlive()) {
			throw new IllegalStateException("The broker has not started");
		}
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			return socket.isConnected();
		}
		catch (IOException _) {
			return false;
		}
	}

	public String bootstrap() {
		return "127.0.0.1:" + this.port;
	}

	/** CPU time in microseconds. */
	public long cpu() {
		return Cpu.of(this.process.toHandle());
	}

	/** Kills the process without a shutdown. */
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	@Override
	public void close() throws InterruptedException {
		kill();
	}

	private static int freePort() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

}
