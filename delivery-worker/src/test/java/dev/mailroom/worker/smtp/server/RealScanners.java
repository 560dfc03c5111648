package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.mailroom.Await;

/**
 * Processes of Rspamd and ClamAV's daemon as packaged by Debian, without network access:
 * Rspamd with its built-in rules only, ClamAV with one signature.
 */
final class RealScanners implements AutoCloseable {

	/** The EICAR test string, which every virus scanner detects. */
	static final String EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";

	/** The GTUBE test string, which every spam filter detects. */
	static final String GTUBE = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

	private static final Path RSPAMD = Path.of("/usr/bin/rspamd");

	private static final Path CLAMD = Path.of("/usr/sbin/clamd");

	private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

	private static final int MAX_START_ATTEMPTS = 3;

	private final Path directory;

	private final List<Process> processes = new ArrayList<>();

	private final int rspamdPort;

	private final int clamPort;

	RealScanners(Path directory) throws IOException {
		this.directory = directory;
		Path signatures = Files.createDirectory(directory.resolve("signatures"));
		Files.writeString(signatures.resolve("eicar.ndb"),
				"Eicar:0:*:" + HexFormat.of().formatHex(EICAR.getBytes(StandardCharsets.US_ASCII)) + "\n");
		// Rspamd takes long to prepare its own list of top-level domains.
		Path domains = Files.writeString(directory.resolve("domains"), "test\n");
		this.clamPort = start("clamd.conf", """
				DatabaseDirectory %1$s
				TemporaryDirectory %2$s
				TCPAddr 127.0.0.1
				TCPSocket %%d
				StreamMaxLength 1M
				""".formatted(signatures, directory), CLAMD.toString(), "--foreground", "-c");
		this.rspamdPort = start("rspamd.conf", """
				options { pidfile = "%1$s/rspamd.pid"; hs_cache_dir = "%1$s"; tempdir = "%1$s";
				          url_tld = "%2$s"; disable_hyperscan = true;
				          dns { nameserver = ["127.0.0.1:1:1"]; timeout = 0.1s; retransmits = 1; } }
				logging { type = "console"; level = "error"; }
				metric "default" { actions { reject = 15; add_header = 6; greylist = 4; } }
				worker "normal" { bind_socket = "127.0.0.1:%%d"; count = 1; }
				""".formatted(directory, domains), RSPAMD.toString(), "-f", "-i", "-c");
	}

	static boolean areInstalled() {
		return Files.isExecutable(RSPAMD) && Files.isExecutable(CLAMD);
	}

	String rspamdUrl() {
		return "http://127.0.0.1:" + this.rspamdPort;
	}

	String clamAddress() {
		return "127.0.0.1:" + this.clamPort;
	}

	/**
	 * Starts a process and waits until it listens. If it exits, such as when another
	 * process has taken the port meanwhile, another port is tried.
	 * @param configuration content of the configuration file, with %d for the port
	 * @return the port
	 */
	private int start(String file, String configuration, String... command) throws IOException {
		for (int attempt = 0; attempt < MAX_START_ATTEMPTS; attempt++) {
			int port = freePort();
			Path path = Files.writeString(this.directory.resolve(file), configuration.formatted(port));
			List<String> arguments = new ArrayList<>(List.of(command));
			arguments.add(path.toString());
			Process process = new ProcessBuilder(arguments).redirectErrorStream(true)
				.redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
				.redirectOutput(this.directory.resolve(file + ".log").toFile())
				.start();
			this.processes.add(process);
			AtomicBoolean listening = new AtomicBoolean();
			Await.until(file + " is listening", START_TIMEOUT, () -> {
				listening.set(isListening(port));
				return listening.get() || !process.isAlive();
			});
			if (listening.get()) {
				return port;
			}
		}
		throw new IllegalStateException(Files.readString(this.directory.resolve(file + ".log")));
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isListening(int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException _) {
			return false;
		}
	}

	@Override
	public void close() {
		for (Process process : this.processes) {
			process.destroy();
			try {
				process.waitFor();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
