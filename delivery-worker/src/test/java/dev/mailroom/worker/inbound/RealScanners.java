package dev.mailroom.worker.inbound;

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
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Rspamd and ClamAV's daemon as Debian has them, each without a network: the first with
 * no rules but those that are built in, the second with one signature.
 */
final class RealScanners implements AutoCloseable {

	/** A string that every scanner calls a virus, and that is none. */
	static final String EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";

	/** The same for spam. */
	static final String GTUBE = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

	private static final Path RSPAMD = Path.of("/usr/bin/rspamd");

	private static final Path CLAMD = Path.of("/usr/sbin/clamd");

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final Path directory;

	private final int rspamdPort = free();

	private final int clamPort = free();

	private final List<Process> processes;

	RealScanners(Path directory) throws IOException {
		this.directory = directory;
		Path signatures = Files.createDirectory(directory.resolve("signatures"));
		Files.writeString(signatures.resolve("eicar.ndb"),
				"Eicar:0:*:" + HexFormat.of().formatHex(EICAR.getBytes(StandardCharsets.US_ASCII)) + "\n");
		// Its own list of top-level domains takes it long to prepare.
		Path domains = Files.writeString(directory.resolve("domains"), "test\n");
		Path clamd = Files.writeString(directory.resolve("clamd.conf"), """
				DatabaseDirectory %s
				TemporaryDirectory %s
				TCPAddr 127.0.0.1
				TCPSocket %d
				StreamMaxLength 1M
				""".formatted(signatures, directory, this.clamPort));
		Path rspamd = Files.writeString(directory.resolve("rspamd.conf"), """
				options { pidfile = "%1$s/rspamd.pid"; hs_cache_dir = "%1$s"; tempdir = "%1$s";
				          url_tld = "%3$s"; disable_hyperscan = true;
				          dns { nameserver = ["127.0.0.1:1:1"]; timeout = 0.1s; retransmits = 1; } }
				logging { type = "console"; level = "error"; }
				metric "default" { actions { reject = 15; add_header = 6; greylist = 4; } }
				worker "normal" { bind_socket = "127.0.0.1:%2$d"; count = 1; }
				""".formatted(directory, this.rspamdPort, domains));
		this.processes = List.of(start(CLAMD.toString(), "--foreground", "-c", clamd.toString()),
				start(RSPAMD.toString(), "-f", "-i", "-c", rspamd.toString()));
		await(this.clamPort);
		await(this.rspamdPort);
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

	private Process start(String... command) throws IOException {
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
			.redirectOutput(this.directory.resolve("log." + Path.of(command[0]).getFileName()).toFile())
			.start();
	}

	private static int free() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void await(int port) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!listens(port)) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("Nobody listens on " + port);
			}
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
	}

	private static boolean listens(int port) {
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
