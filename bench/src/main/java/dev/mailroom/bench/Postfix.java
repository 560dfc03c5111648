package dev.mailroom.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.mailroom.process.Cpu;

/**
 * Postfix as packaged by Debian: a relay on the loopback address with its own queue,
 * which is synced to disk as usual.
 */
public final class Postfix implements AutoCloseable {

	private static final Path PROGRAM = Path.of("/usr/sbin/postfix");

	private static final int STOP_SECONDS = 10;

	private final Path directory;

	private final int port;

	private final Sink sink;

	private final SmtpSource source;

	/** Starts Postfix with the sink as its relay host. */
	public Postfix(Path directory, Sink sink) throws Exception {
		this.directory = Files.createDirectories(directory.resolve("postfix"));
		this.sink = sink;
		try (ServerSocket socket = new ServerSocket(0)) {
			this.port = socket.getLocalPort();
		}
		this.source = new SmtpSource(this.port, sink);
		// Postfix programs run as another user.
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		Files.createDirectories(this.directory.resolve("spool"));
		Path state = Files.createDirectories(this.directory.resolve("state"));
		Files.writeString(this.directory.resolve("main.cf"), main(state));
		Files.writeString(this.directory.resolve("master.cf"), services());
		SmtpSource.call("chown", "postfix", state.toString());
		SmtpSource.call(PROGRAM.toString(), "-c", this.directory.toString(), "start");
	}

	public static boolean isInstalled() {
		return Files.isExecutable(PROGRAM) && SmtpSource.isInstalled()
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

	private String services() {
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

	public int port() {
		return this.port;
	}

	/** Sends mails with smtp-source and waits until the sink has accepted all of them. */
	public Sample relay(long mails) throws Exception {
		return this.source.send(mails, this::cpu);
	}

	private long cpu() throws IOException {
		return master().map(Cpu::of).orElse(0L);
	}

	private Optional<ProcessHandle> master() throws IOException {
		String pid = Files.readString(this.directory.resolve("spool/pid/master.pid")).strip();
		return ProcessHandle.of(Long.parseLong(pid));
	}

	/** Ends the master process and its children. */
	@Override
	public void close() throws IOException {
		for (ProcessHandle master : master().stream().toList()) {
			List<ProcessHandle> children = master.descendants().toList();
			master.destroy();
			master.onExit().orTimeout(STOP_SECONDS, TimeUnit.SECONDS).exceptionally((_) -> master).join();
			children.forEach(ProcessHandle::destroyForcibly);
			master.destroyForcibly();
		}
	}

}
