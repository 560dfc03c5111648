package dev.mailroom.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.mailroom.Await;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Programs of others that run in the foreground while a test needs them, with their
 * output in files of a directory.
 */
public final class Programs implements AutoCloseable {

	private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

	private final Path directory;

	private final List<Process> running = new ArrayList<>();

	public Programs(Path directory) {
		this.directory = directory;
	}

	/**
	 * Whether all programs are installed and the user is root, who may use low ports and
	 * change mounts.
	 */
	public static boolean areInstalled(String... paths) {
		return Stream.of(paths).map(Path::of).allMatch(Files::isExecutable)
				&& "root".equals(System.getProperty("user.name")) && maySetNameServer();
	}

	private static boolean maySetNameServer() {
		try {
			return new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0;
		}
		catch (IOException _) {
			return false;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Starts a program and waits until it listens at an address. */
	public Process start(String address, int port, String... command) throws IOException {
		return start(() -> isListening(address, port), command);
	}

	/** Starts a program and waits until it works. */
	public Process start(Callable<Boolean> works, String... command) throws IOException {
		String name = Path.of(command[0]).getFileName().toString();
		Path log = this.directory.resolve(name + ".out");
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
			.redirectOutput(Redirect.appendTo(log.toFile()))
			.start();
		this.running.addFirst(process);
		Await.until(name + " works", START_TIMEOUT, () -> !process.isAlive() || works.call());
		assertThat(process.isAlive()).as(() -> name + ": " + read(log)).isTrue();
		return process;
	}

	private static String read(Path log) {
		try {
			return Files.readString(log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isListening(String address, int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port));
			return true;
		}
		catch (IOException _) {
			return false;
		}
	}

	/** Runs a program in the directory, which must succeed; its output. */
	public String run(String... command) throws Exception {
		Process process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.start();
		String output = output(process);
		assertThat(process.exitValue()).as(output).isZero();
		return output;
	}

	/**
	 * Runs a program that has no other name server than the one at port 53 of an address;
	 * its output, also if it fails.
	 */
	public String runWithNameServer(String address, String... command) throws Exception {
		Path file = Files.writeString(this.directory.resolve("resolv.conf"),
				"nameserver " + address + "\noptions trust-ad\n");
		List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-c",
				"mount --bind \"$0\" /etc/resolv.conf && exec \"$@\"", file.toString()));
		all.addAll(List.of(command));
		return output(new ProcessBuilder(all).redirectErrorStream(true).start());
	}

	private static String output(Process process) throws Exception {
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return output;
	}

	@Override
	public void close() throws InterruptedException {
		for (Process process : this.running) {
			List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
			process.destroy();
			process.waitFor(10, TimeUnit.SECONDS);
			all.forEach(ProcessHandle::destroyForcibly);
		}
	}

}
