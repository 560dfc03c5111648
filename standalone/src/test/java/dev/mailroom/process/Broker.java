package dev.mailroom.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.standalone.BrokerAlone;
import org.jspecify.annotations.Nullable;

/** A Kafka broker that can be killed and restarted with its log. */
public final class Broker implements AutoCloseable {

	private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

	/** Without the C2 compiler, which a test does not need. */
	private static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx300m");

	private final int port;

	private final ProcessBuilder builder;

	private @Nullable Process process;

	/** Starts a single broker. */
	public Broker(Path directory) throws Exception {
		this(directory, SMALL);
	}

	/** Starts a single broker with options of the JVM. */
	public Broker(Path directory, List<String> jvm) throws Exception {
		this(directory, jvm, "kafka", freePort(), List.of());
		start();
	}

	private Broker(Path directory, List<String> jvm, String name, int controllerPort, List<String> settings)
			throws IOException {
		this.port = freePort();
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(ClassArchive.options());
		command.addAll(jvm);
		command.addAll(List.of("-cp", ClassArchive.CLASS_PATH, BrokerAlone.class.getName(),
				directory.resolve(name).toString(), Integer.toString(this.port), Integer.toString(controllerPort)));
		command.addAll(settings);
		this.builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(directory.resolve(name + ".log").toFile()));
	}

	/**
	 * Starts brokers with the ids 1, 2 and so on, each of which is also a controller. A
	 * write needs all but one of them.
	 */
	public static List<Broker> cluster(Path directory, int size) throws Exception {
		List<Integer> controllers = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			controllers.add(freePort());
		}
		String voters = IntStream.rangeClosed(1, size)
			.mapToObj((id) -> id + "@127.0.0.1:" + controllers.get(id - 1))
			.collect(Collectors.joining(","));
		List<Broker> brokers = new ArrayList<>();
		for (int id = 1; id <= size; id++) {
			brokers.add(new Broker(directory, SMALL, "kafka-" + id, controllers.get(id - 1),
					List.of("node.id=" + id, "controller.quorum.voters=" + voters,
							"offsets.topic.replication.factor=" + size, "min.insync.replicas=" + (size - 1))));
		}
		for (Broker broker : brokers) {
			broker.process = broker.builder.start();
		}
		for (Broker broker : brokers) {
			Await.until("the broker answers", START_TIMEOUT, broker::answers);
		}
		return brokers;
	}

	/** Starts the broker, also with the log of a killed one. */
	public void start() throws Exception {
		this.process = this.builder.start();
		Await.until("the broker answers", START_TIMEOUT, this::answers);
	}

	public boolean isAlive() {
		return this.process != null && this.process.isAlive();
	}

	private boolean answers() {
		if (!isAlive()) {
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
		return (this.process != null) ? Cpu.of(this.process.toHandle()) : 0;
	}

	/** Kills the process without a shutdown. */
	public void kill() throws InterruptedException {
		if (this.process != null) {
			this.process.destroyForcibly().waitFor();
		}
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
