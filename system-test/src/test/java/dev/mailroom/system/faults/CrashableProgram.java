package dev.mailroom.system.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import dev.mailroom.Await;
import dev.mailroom.process.ClassArchive;
import dev.mailroom.process.Program;

/** A program that can be ended at a chosen point and restarted. */
final class CrashableProgram implements AutoCloseable {

	private static final Duration DEATH_TIMEOUT = Duration.ofMinutes(3);

	/** A number that no point has. */
	private static final int NO_POINT = 255;

	private final ServerSocket agents = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

	private final Program program;

	private final ExecutorService reserve = Executors.newVirtualThreadPerTaskExecutor();

	private final boolean hasReserve;

	private Socket agent;

	private Optional<Future<Socket>> next;

	/**
	 * Starts the program.
	 * @param main its main class
	 * @param hasReserve whether the next process is prepared while this one runs, because
	 * a start takes longer than a test
	 */
	CrashableProgram(Class<?> main, boolean hasReserve, Path directory, Map<String, String> settings) throws Exception {
		this.hasReserve = hasReserve;
		List<String> jvm = new ArrayList<>(ClassArchive.options());
		jvm.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx400m",
				"-javaagent:" + agentJar(directory, main) + "=" + this.agents.getLocalPort()));
		this.program = new Program(main, directory.resolve(main.getSimpleName() + ".log"), jvm, settings);
		this.agent = this.agents.accept();
		this.next = next();
	}

	private Optional<Future<Socket>> next() {
		return this.hasReserve ? Optional.of(this.reserve.submit(this::prepare)) : Optional.empty();
	}

	private Socket prepare() throws IOException {
		this.program.prepare();
		Socket next = this.agents.accept();
		setPoint(Point.READY.number(), next);
		return next;
	}

	/** A jar with the manifest of the agent only; its class is on the class path. */
	private static Path agentJar(Path directory, Class<?> main) throws IOException {
		Path jar = directory.resolve(main.getSimpleName() + ".jar");
		Manifest manifest = new Manifest();
		manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
		manifest.getMainAttributes().putValue("Premain-Class", CrashAgent.class.getName());
		new JarOutputStream(Files.newOutputStream(jar), manifest).close();
		return jar;
	}

	/** Ends the process the next time it reaches this point. */
	void crashAt(Point point) throws IOException {
		setPoint(point.number(), this.agent);
	}

	private static void setPoint(int point, Socket agent) throws IOException {
		agent.getOutputStream().write(point);
		if (agent.getInputStream().read() != point) {
			throw new IllegalStateException("The program ended before the point was set");
		}
	}

	/** Waits until the process has ended by itself. */
	void awaitCrash() throws Exception {
		try {
			Await.until("the program ends", DEATH_TIMEOUT, () -> !this.program.isAlive());
		}
		finally {
			kill();
		}
	}

	void kill() throws InterruptedException {
		this.program.kill();
	}

	void restart() throws Exception {
		this.agent.close();
		if (this.next.isPresent() && isReady(this.next.get())) {
			this.agent = this.next.get().get();
			setPoint(NO_POINT, this.agent);
			this.program.start();
		}
		else {
			this.program.start();
			this.agent = this.agents.accept();
		}
		this.next = next();
	}

	/** False if the database or the broker was unavailable during its start. */
	private boolean isReady(Future<Socket> next) throws Exception {
		next.get();
		return this.program.isPrepared();
	}

	/** Restarts the program if a failed test has ended it. */
	void ensureRunning() throws Exception {
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
		this.agent.close();
		this.agents.close();
		this.reserve.close();
	}

}
