package dev.mailroom.system;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.mailroom.Await;

/** The npm package s3rver as a separate process: an S3 server that checks signatures. */
final class S3Server implements AutoCloseable {

	private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

	private final Path directory;

	private final int port;

	private final Process process;

	/**
	 * Starts the server.
	 * @param clients directory of the installed npm packages
	 * @param directory directory for its objects
	 */
	S3Server(Path clients, Path directory) throws Exception {
		this.directory = Files.createDirectories(directory);
		try (ServerSocket free = new ServerSocket(0)) {
			this.port = free.getLocalPort();
		}
		this.process = new ProcessBuilder("node", "node_modules/s3rver/bin/s3rver.js", "--directory",
				directory.toAbsolutePath().toString(), "--address", "127.0.0.1", "--port", Integer.toString(this.port),
				"--silent", "--configure-bucket", "mailroom")
			.directory(clients.toFile())
			.redirectErrorStream(true)
			.redirectOutput(Redirect.DISCARD)
			.start();
		Await.until("the S3 server listens", START_TIMEOUT, this::isListening);
	}

	private boolean isListening() {
		try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			return true;
		}
		catch (IOException _) {
			return false;
		}
	}

	/** Environment variables of an app that uses this server. */
	Map<String, String> settings() {
		return Map.of("MAILROOM_BLOB_STORE", "s3", "MAILROOM_S3_ENDPOINT", "http://127.0.0.1:" + this.port,
				"MAILROOM_S3_ACCESS_KEY", "S3RVER", "MAILROOM_S3_SECRET_KEY", "S3RVER");
	}

	/** Paths of its files. */
	List<String> keys() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory)) {
			return files.filter(Files::isRegularFile).map(Path::toString).toList();
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroy();
		this.process.waitFor();
	}

}
