package dev.mailroom.system.faults;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;

import dev.mailroom.standalone.BrokerAlone;
import dev.mailroom.system.Poll;

/** A broker that can be killed, and starts again with what its log still holds. */
final class Broker implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final int port = freePort();

	private final ProcessBuilder builder;

	private Process process;

	Broker(Path directory) throws Exception {
		this.builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx300m", "-cp", System.getProperty("java.class.path"),
				BrokerAlone.class.getName(), directory.resolve("kafka").toString(), Integer.toString(this.port),
				Integer.toString(freePort()))
			.redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(directory.resolve("broker.log").toFile()));
		start();
	}

	void start() throws Exception {
		this.process = this.builder.start();
		Poll.until(PATIENCE, this::answers);
	}

	private boolean answers() {
		if (!this.process.isAlive()) {
			throw new IllegalStateException("The broker does not start");
		}
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			return socket.isConnected();
		}
		catch (IOException _) {
			return false;
		}
	}

	String bootstrap() {
		return "127.0.0.1:" + this.port;
	}

	/** Ends it as a power cut does. */
	void kill() throws InterruptedException {
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
