package dev.mailroom.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.mailroom.Await;
import dev.mailroom.process.Cpu;

/**
 * Haraka from npm: a relay on the loopback address with its own queue on disk. It accepts
 * every recipient and hands all mail to the sink.
 */
public final class Haraka implements AutoCloseable {

	private static final Path PACKAGE = Path.of("src", "main", "haraka").toAbsolutePath();

	private static final Path PROGRAM = PACKAGE.resolve("node_modules/Haraka/bin/haraka");

	private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

	private static final int STOP_SECONDS = 10;

	/** Makes every client a relaying one, and the sink the MX of every domain. */
	private static final String PLUGIN = """
			exports.hook_rcpt = function (next, connection) {
			  connection.relaying = true;
			  next(OK);
			};
			exports.hook_get_mx = function (next) {
			  next(OK, { priority: 0, exchange: '127.0.0.1', port: %d });
			};
			""";

	private final int port;

	private final Process process;

	private final SmtpSource source;

	/** Starts Haraka with the sink as the destination of all mail. */
	public Haraka(Path directory, Sink sink) throws Exception {
		try (ServerSocket socket = new ServerSocket(0)) {
			this.port = socket.getLocalPort();
		}
		this.source = new SmtpSource(this.port, sink);
		Path home = directory.resolve("haraka");
		write(home, "plugins/benchmark.js", PLUGIN.formatted(sink.port()));
		write(home, "config/plugins", "benchmark\n");
		write(home, "config/me", "haraka.test\n");
		// Without its sections no connection is accepted.
		Files.copy(PACKAGE.resolve("node_modules/Haraka/config/connection.ini"), home.resolve("config/connection.ini"));
		write(home, "config/loglevel", "warn\n");
		write(home, "config/log.ini", "[main]\nlevel=warn\n");
		write(home, "config/smtp.ini", "listen=127.0.0.1:" + this.port + "\n");
		write(home, "config/outbound.ini", "local_mx_ok=true\nenable_tls=false\nconcurrency_max=20\n");
		write(home, "package.json", "{}\n");
		Files.createDirectories(home.resolve("queue"));
		this.process = new ProcessBuilder("node", PROGRAM.toString(), "-c", home.toString()).redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(directory.resolve("haraka.log").toFile()))
			.start();
		try {
			Await.until("Haraka answers", START_TIMEOUT, this::answers);
		}
		catch (Exception | AssertionError ex) {
			this.process.destroyForcibly();
			throw ex;
		}
	}

	private static void write(Path home, String file, String content) throws IOException {
		Files.createDirectories(home.resolve(file).getParent());
		Files.writeString(home.resolve(file), content);
	}

	/**
	 * Installs the package unless it is.
	 * @return reason why Haraka is not available; empty if it is
	 */
	public static String install() throws InterruptedException {
		try {
			Process npm = new ProcessBuilder("node", PACKAGE.resolve("../../../../build/npm-ci.mjs").toString(),
					PACKAGE.toString())
				.redirectErrorStream(true)
				.redirectOutput(Redirect.DISCARD)
				.start();
			return (npm.waitFor() == 0 && Files.exists(PROGRAM)) ? "" : "Haraka could not be installed with npm";
		}
		catch (IOException ex) {
			return "Haraka needs Node.js: " + ex.getMessage();
		}
	}

	private boolean answers() {
		if (!this.process.isAlive()) {
			throw new IllegalStateException("Haraka has not started; see its log");
		}
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			return socket.getInputStream().read() == '2';
		}
		catch (IOException _) {
			return false;
		}
	}

	public int port() {
		return this.port;
	}

	/** Sends mails with smtp-source and waits until the sink has accepted all of them. */
	public Sample relay(long mails) throws Exception {
		return this.source.send(mails, () -> Cpu.of(this.process.toHandle()));
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
