package dev.mailroom.system.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import dev.mailroom.system.Poll;
import dev.mailroom.system.Program;

/** A program that dies where it is told to, and starts again. */
final class Victim implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final ServerSocket reapers = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

	private final Program program;

	private Socket reaper;

	Victim(Class<?> main, Path directory, Map<String, String> settings) throws Exception {
		this.program = new Program(main, directory.resolve(main.getSimpleName() + ".log"),
				List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx400m",
						"-javaagent:" + agent(directory) + "=" + this.reapers.getLocalPort()),
				settings);
		this.reaper = this.reapers.accept();
	}

	/** A jar that holds nothing but the agent's name: its class is on the class path. */
	private static Path agent(Path directory) throws IOException {
		Path jar = directory.resolve("reaper.jar");
		if (!Files.exists(jar)) {
			Manifest manifest = new Manifest();
			manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
			manifest.getMainAttributes().putValue("Premain-Class", Reaper.class.getName());
			new JarOutputStream(Files.newOutputStream(jar), manifest).close();
		}
		return jar;
	}

	/** Lets it die the next time that it comes to this point. */
	void dieAt(Point point) throws IOException {
		this.reaper.getOutputStream().write(point.number());
		if (this.reaper.getInputStream().read() != point.number()) {
			throw new IllegalStateException("The program has died before its time");
		}
	}

	void awaitDeath() throws Exception {
		Poll.until(PATIENCE, () -> !this.program.isAlive());
	}

	void kill() throws InterruptedException {
		this.program.kill();
	}

	void restart() throws Exception {
		this.reaper.close();
		this.program.start();
		this.reaper = this.reapers.accept();
	}

	Program program() {
		return this.program;
	}

	@Override
	public void close() throws Exception {
		this.program.close();
		this.reaper.close();
		this.reapers.close();
	}

}
