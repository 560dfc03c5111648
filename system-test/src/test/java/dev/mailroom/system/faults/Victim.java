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
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import dev.mailroom.system.Poll;
import dev.mailroom.system.Program;

/** A program that dies where it is told to, and starts again. */
final class Victim implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	/** No point at all. */
	private static final int NOWHERE = 255;

	private final ServerSocket reapers = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

	private final Program program;

	private final ExecutorService reserve = Executors.newVirtualThreadPerTaskExecutor();

	private final boolean hasReserve;

	private Socket reaper;

	private Optional<Future<Socket>> next;

	/**
	 * Starts the program.
	 * @param main its class
	 * @param hasReserve whether the one that comes after it gets as far as it may while
	 * this one lives: a start takes longer than all that is tried with it
	 */
	Victim(Class<?> main, boolean hasReserve, Path directory, Map<String, String> settings) throws Exception {
		this.hasReserve = hasReserve;
		this.program = new Program(main, directory.resolve(main.getSimpleName() + ".log"),
				List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx400m",
						"-javaagent:" + agent(directory, main) + "=" + this.reapers.getLocalPort()),
				settings);
		this.reaper = this.reapers.accept();
		this.next = next();
	}

	private Optional<Future<Socket>> next() {
		return this.hasReserve ? Optional.of(this.reserve.submit(this::prepare)) : Optional.empty();
	}

	private Socket prepare() throws IOException {
		this.program.prepare();
		Socket next = this.reapers.accept();
		name(Point.READY.number(), next);
		return next;
	}

	/** A jar that holds nothing but the agent's name: its class is on the class path. */
	private static Path agent(Path directory, Class<?> main) throws IOException {
		Path jar = directory.resolve(main.getSimpleName() + ".jar");
		Manifest manifest = new Manifest();
		manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
		manifest.getMainAttributes().putValue("Premain-Class", Reaper.class.getName());
		new JarOutputStream(Files.newOutputStream(jar), manifest).close();
		return jar;
	}

	/** Lets it die the next time that it comes to this point. */
	void dieAt(Point point) throws IOException {
		name(point.number(), this.reaper);
	}

	private static void name(int point, Socket reaper) throws IOException {
		reaper.getOutputStream().write(point);
		if (reaper.getInputStream().read() != point) {
			throw new IllegalStateException("The program has died before its time");
		}
	}

	/** Returns once it is dead, and fails where it did not die by itself. */
	void awaitDeath() throws Exception {
		try {
			Poll.until(PATIENCE, () -> !this.program.isAlive());
		}
		finally {
			kill();
		}
	}

	void kill() throws InterruptedException {
		this.program.kill();
	}

	void restart() throws Exception {
		this.reaper.close();
		if (this.next.isPresent() && isReady(this.next.get())) {
			this.reaper = this.next.get().get();
			name(NOWHERE, this.reaper);
			this.program.start();
		}
		else {
			this.program.start();
			this.reaper = this.reapers.accept();
		}
		this.next = next();
	}

	/** It is not where the database or the broker was away when it came up. */
	private boolean isReady(Future<Socket> next) throws Exception {
		next.get();
		return this.program.isPrepared();
	}

	/** Starts it again where a test has failed and left it dead. */
	void revive() throws Exception {
		if (!this.program.isAlive()) {
			restart();
		}
	}

	Program program() {
		return this.program;
	}

	@Override
	public void close() throws Exception {
		if (this.next.isPresent()) {
			this.next.get().get().close();
		}
		this.program.close();
		this.reaper.close();
		this.reapers.close();
		this.reserve.close();
	}

}
