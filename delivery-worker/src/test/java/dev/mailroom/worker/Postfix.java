package dev.mailroom.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Mail servers of Debian's package postfix at loopback addresses. They accept mail for
 * all domains, and keep it in one mailbox.
 */
public final class Postfix {

	private final Path directory;

	private final int port;

	/** Sections of its services, one for each server. */
	private final List<String> services = new ArrayList<>();

	private final List<String> addresses = new ArrayList<>();

	/**
	 * Prepares the servers.
	 * @param directory a directory in one of the test's own, so that both can be opened
	 * @param port port of all servers
	 */
	public Postfix(Path directory, int port) throws IOException {
		this.directory = Files.createDirectory(directory.resolve("postfix"));
		this.port = port;
		// Postfix programs run as other users.
		for (Path path : List.of(directory.getParent(), directory)) {
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
		}
	}

	public static boolean isInstalled() {
		return Programs.areInstalled("/usr/sbin/postfix");
	}

	/**
	 * Adds a server.
	 * @param chain certificates, the first with its key; none for a server without TLS
	 */
	public void serve(String address, TestCertificate... chain) throws Exception {
		String options = " -o smtpd_tls_security_level=none";
		if (chain.length > 0) {
			Path key = this.directory.resolve(address + ".pem");
			chain[0].writeKey(key);
			StringBuilder text = new StringBuilder(Files.readString(key));
			for (TestCertificate certificate : chain) {
				text.append(Files.readString(certificate.pem()));
			}
			Files.writeString(key, text);
			options = " -o smtpd_tls_security_level=may -o smtpd_tls_chain_files=" + key;
		}
		this.addresses.add(address);
		this.services.add("%s:%d inet n - n - - smtpd%s".formatted(address, this.port, options));
	}

	/**
	 * Starts the servers.
	 * @param settings further lines of main.cf
	 */
	public void start(Programs programs, String... settings) throws Exception {
		Files.createDirectory(this.directory.resolve("spool"));
		Path state = Files.createDirectory(this.directory.resolve("state"));
		Path mail = Files.createDirectory(this.directory.resolve("mail"));
		Files.writeString(this.directory.resolve("main.cf"), """
				compatibility_level = 3.6
				queue_directory = %1$s/spool
				data_directory = %1$s/state
				myhostname = postfix.test
				mydestination =
				inet_interfaces = all
				inet_protocols = ipv4
				mynetworks = 127.0.0.0/8
				virtual_alias_domains =
				virtual_mailbox_domains = static:all
				virtual_mailbox_base = %1$s/mail
				virtual_mailbox_maps = static:box/
				virtual_uid_maps = static:65534
				virtual_gid_maps = static:65534
				smtp_tls_security_level = may
				local_header_rewrite_clients =
				alias_maps =
				alias_database =
				smtpd_peername_lookup = no
				smtpd_tls_loglevel = 1
				smtpd_tls_received_header = yes
				maillog_file = %1$s/log
				maillog_file_prefixes = %1$s
				%2$s
				""".formatted(this.directory, String.join("\n", settings)));
		Files.writeString(this.directory.resolve("master.cf"), String.join("\n", this.services) + "\n" + """
				pickup unix n - n 60 1 pickup
				cleanup unix n - n - 0 cleanup
				qmgr unix n - n 300 1 qmgr
				tlsmgr unix - - n 1000? 1 tlsmgr
				rewrite unix - - n - - trivial-rewrite
				bounce unix - - n - 0 bounce
				defer unix - - n - 0 bounce
				trace unix - - n - 0 bounce
				flush unix n - n 1000? 0 flush
				proxymap unix - - n - - proxymap
				smtp unix - - n - - smtp
				error unix - - n - - error
				retry unix - - n - - error
				virtual unix - n n - - virtual
				anvil unix - - n - 1 anvil
				postlog unix-dgram n - n - 1 postlogd
				""");
		programs.run("chown", "postfix", state.toString());
		programs.run("chown", "65534:65534", mail.toString());
		programs.run("postfix", "-c", this.directory.toString(), "check");
		// The master process needs a process group of its own.
		programs.start(this.addresses.getFirst(), this.port, "setsid", "/usr/lib/postfix/sbin/master", "-d", "-c",
				this.directory.toString());
	}

	/** Whether a server has stored mail for a domain. */
	public boolean hasMail(String domain) throws IOException {
		return log().contains("@" + domain + ">, relay=virtual, ");
	}

	/** Number of ended sessions in which a client named itself. */
	public int sessions() throws IOException {
		return log().split(": disconnect from [^\n]* ehlo=", -1).length - 1;
	}

	private String log() throws IOException {
		return Files.readString(this.directory.resolve("log"));
	}

	/**
	 * The mails for a recipient as they are stored, the oldest first: bytes as Latin-1,
	 * lines that end with LF.
	 */
	public List<String> mails(String recipient) throws IOException {
		Path box = this.directory.resolve("mail/box/new");
		if (!Files.isDirectory(box)) {
			return List.of();
		}
		List<String> mails = new ArrayList<>();
		try (Stream<Path> files = Files.list(box)) {
			for (Path file : files.sorted().toList()) {
				String mail = Files.readString(file, StandardCharsets.ISO_8859_1);
				if (mail.contains("\nX-Original-To: " + recipient + "\n")) {
					mails.add(mail);
				}
			}
		}
		return mails;
	}

}
