package dev.mailroom.system.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

import dev.mailroom.system.Cpu;
import dev.mailroom.system.Poll;

/**
 * Postfix as packaged by Debian: a relay on the loopback address with its own queue,
 * which is synced to disk as usual.
 */
final class Postfix implements AutoCloseable {

	private static final Path PROGRAM = Path.of("/usr/sbin/postfix");

	private static final Path SOURCE = Path.of("/usr/sbin/smtp-source");

	private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(3);

	private static final int BODY_BYTES = 1024;

	private final Path directory;

	private final int port;

	private final Sink sink;

	/** Starts Postfix with the sink as its relay host. */
	Postfix(Path directory, Sink sink) throws Exception {
		this.directory = Files.createDirectories(directory.resolve("postfix"));
		this.sink = sink;
		try (ServerSocket socket = new ServerSocket(0)) {
			this.port = socket.getLocalPort();
		}
		// Postfix programs run as another user.
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		Files.createDirectories(this.directory.resolve("spool"));
		Path state = Files.createDirectories(this.directory.resolve("state"));
		Files.writeString(this.directory.resolve("main.cf"), main(state));
		Files.writeString(this.directory.resolve("master.cf"), master());
		call("chown", "postfix", state.toString());
		call(PROGRAM.toString(), "-c", this.directory.toString(), "start");
	}

	static boolean isInstalled() {
		return Files.isExecutable(PROGRAM) && Files.isExecutable(SOURCE)
				&& "root".equals(System.getProperty("user.name"));
	}

	private String main(Path state) {
		return """
				compatibility_level = 3.6
				queue_directory = %s
				data_directory = %s
				myhostname = postfix.test
				mydestination =
				inet_interfaces = 127.0.0.1
				inet_protocols = ipv4
				mynetworks = 127.0.0.0/8
				relayhost = [127.0.0.1]:%d
				alias_maps =
				alias_database =
				local_recipient_maps =
				smtputf8_enable = no
				smtp_tls_security_level =
				maillog_file = %s
				maillog_file_prefixes = %s
				""".formatted(this.directory.resolve("spool"), state, this.sink.port(), this.directory.resolve("log"),
				this.directory);
	}

	private String master() {
		return """
				%d inet n - n - - smtpd
				pickup unix n - n 60 1 pickup
				cleanup unix n - n - 0 cleanup
				qmgr unix n - n 300 1 qmgr
				tlsmgr unix - - n 1000? 1 tlsmgr
				rewrite unix - - n - - trivial-rewrite
				bounce unix - - n - 0 bounce
				defer unix - - n - 0 bounce
				trace unix - - n - 0 bounce
				verify unix - - n - 1 verify
				flush unix n - n 1000? 0 flush
				proxymap unix - - n - - proxymap
				smtp unix - - n - - smtp
				relay unix - - n - - smtp
				error unix - - n - - error
				retry unix - - n - - error
				discard unix - - n - - discard
				anvil unix - - n - 1 anvil
				scache unix - - n - 1 scache
				postlog unix-dgram n - n - 1 postlogd
				""".formatted(this.port);
	}

	int port() {
		return this.port;
	}

	/** Sends mails with smtp-source and waits until the sink has accepted all of them. */
	Sample relay(long mails) throws Exception {
		long before = cpu();
		long goal = this.sink.accepted() + mails;
		long start = System.nanoTime();
		call(SOURCE.toString(), "-s", "20", "-d", "-l", Integer.toString(BODY_BYTES), "-m", Long.toString(mails), "-f",
				"a@from.test", "-t", "b@to.test", "127.0.0.1:" + this.port);
		Poll.until(DELIVERY_TIMEOUT, () -> this.sink.accepted() >= goal);
		return new Sample(mails, System.nanoTime() - start, cpu() - before, 0);
	}

	private long cpu() throws IOException {
		long master = Long.parseLong(Files.readString(this.directory.resolve("spool/pid/master.pid")).strip());
		return ProcessHandle.of(master).map(Cpu::of).orElse(0L);
	}

	private static void call(String... command) throws Exception {
		Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException(String.join(" ", command) + ": " + output);
		}
	}

	@Override
	public void close() throws Exception {
		call(PROGRAM.toString(), "-c", this.directory.toString(), "stop");
	}

}
