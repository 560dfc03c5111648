package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.mailroom.worker.Postfix;
import dev.mailroom.worker.Programs;
import dev.mailroom.worker.TestCertificate;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Programs as packaged by Debian at loopback addresses: NSD with a root zone of its own
 * and zones below it, which ldns-signzone has signed, Unbound that resolves from that
 * root, and Postfix as mail server of several hosts.
 */
final class ForeignServers implements AutoCloseable {

	static final String RESOLVER = "127.53.1.53";

	private static final String NAME_SERVER = "127.53.1.54";

	/** Address of silent.test, a name server that does not run. */
	private static final String SILENT = "127.53.1.55";

	private static final int PORT = 53;

	private final Path directory;

	/** Records of the zones, by the names of the zones. */
	private final Map<String, List<String>> zones = new TreeMap<>();

	/** Key of each signed zone, as the name of its file. */
	private final Map<String, String> keys = new TreeMap<>();

	private final Programs programs;

	private final int port;

	private final Postfix postfix;

	private Process unbound;

	/**
	 * Prepares the servers.
	 * @param directory an empty directory
	 */
	ForeignServers(Path directory) throws Exception {
		this.directory = directory;
		this.programs = new Programs(directory);
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.53.2.1"))) {
			this.port = socket.getLocalPort();
		}
		this.postfix = new Postfix(directory, this.port);
		publish(".", "ns.test. A " + NAME_SERVER);
		publish("test.", "ns.test. A " + NAME_SERVER, "silent.test. A " + SILENT);
	}

	static boolean areInstalled() {
		return Programs.areInstalled("/usr/sbin/nsd", "/usr/sbin/unbound", "/usr/bin/ldns-signzone",
				"/usr/sbin/postfix", "/usr/sbin/posttls-finger");
	}

	/** Port of all mail servers. */
	int port() {
		return this.port;
	}

	/** Adds records to a zone: name, type and data. */
	void publish(String zone, String... records) {
		this.zones.computeIfAbsent(zone, (_) -> new ArrayList<>()).addAll(List.of(records));
	}

	/**
	 * Signs a zone that has all of its records, and delegates it with its key.
	 * @param options further options of ldns-signzone
	 */
	void sign(String zone, String algorithm, String... options) throws Exception {
		write(zone);
		String key = this.programs.run("ldns-keygen", "-a", algorithm, "-k", zone).strip();
		this.keys.put(zone, key);
		List<String> command = new ArrayList<>(List.of("ldns-signzone", "-o", zone, "-f", file(zone).toString()));
		command.addAll(List.of(options));
		command.addAll(List.of(file(zone).toString(), key));
		this.programs.run(command.toArray(String[]::new));
		if (!zone.equals(".")) {
			delegate(zone, zone + " DS " + data(zone));
		}
	}

	/** Adds a zone without signatures. */
	void leaveUnsigned(String zone, String... records) throws IOException {
		write(zone);
		delegate(zone, records);
	}

	/** Publishes the name server of a zone and further records in the zone above it. */
	private void delegate(String zone, String... records) {
		String above = zone.substring(zone.indexOf('.') + 1);
		publish(above.isEmpty() ? "." : above, zone + " NS ns.test.");
		publish(above.isEmpty() ? "." : above, records);
	}

	/** Data of the DS record of a zone. */
	private String data(String zone) throws IOException {
		return Files.readString(this.directory.resolve(this.keys.get(zone) + ".ds"))
			.strip()
			.replaceFirst(".*DS\\s+", "");
	}

	/** Changes a record of a signed zone, whose signature remains. */
	void forge(String zone, String record, String replacement) throws IOException {
		String text = Files.readString(file(zone));
		assertThat(text).contains(record);
		Files.writeString(file(zone), text.replace(record, replacement));
	}

	private void write(String zone) throws IOException {
		StringBuilder text = new StringBuilder(
				"$TTL 300\n%1$s SOA ns.test. h.test. 1 3600 600 86400 60\n%1$s NS ns.test.\n".formatted(zone));
		this.zones.getOrDefault(zone, List.of()).forEach((record) -> text.append(record).append('\n'));
		Files.writeString(file(zone), text);
	}

	private Path file(String zone) {
		return this.directory.resolve("zone-" + zone);
	}

	/** Starts the name server of the zones that were written. */
	void startNameServer() throws IOException {
		StringBuilder text = new StringBuilder("""
				server:
				  ip-address: %2$s@%3$d
				  username: root
				  chroot: ""
				  zonesdir: "%1$s"
				  database: ""
				  pidfile: "%1$s/nsd.pid"
				  xfrdfile: "%1$s/nsd.xfrd"
				  zonelistfile: "%1$s/nsd.list"
				remote-control:
				  control-enable: no
				""".formatted(this.directory, NAME_SERVER, PORT));
		this.zones.keySet()
			.forEach((zone) -> text.append("zone:\n  name: \"%s\"\n  zonefile: \"%s\"\n".formatted(zone, file(zone))));
		Path file = Files.writeString(this.directory.resolve("nsd.conf"), text);
		this.programs.start(NAME_SERVER, PORT, "/usr/sbin/nsd", "-d", "-c", file.toString());
	}

	/**
	 * Starts a resolver with an empty cache in the place of the one that runs.
	 * @param modules those of Unbound: "iterator" does not validate
	 */
	void startResolver(String modules) throws Exception {
		stopResolver();
		Files.writeString(this.directory.resolve("hints"), ". NS ns.test.\nns.test. A " + NAME_SERVER + "\n");
		Path file = Files.writeString(this.directory.resolve("unbound.conf"), """
				server:
				  directory: "%1$s"
				  chroot: ""
				  username: ""
				  pidfile: "%1$s/unbound.pid"
				  use-syslog: no
				  logfile: "%1$s/queries"
				  log-queries: yes
				  interface: %2$s@%3$d
				  do-ip6: no
				  do-not-query-localhost: no
				  local-zone: "test." nodefault
				  local-zone: "_%4$d._tcp.mx.plain.test." always_refuse
				  root-hints: "%1$s/hints"
				  trust-anchor-file: "%1$s/%5$s.ds"
				  module-config: "%6$s"
				""".formatted(this.directory, RESOLVER, PORT, this.port, this.keys.get("."), modules));
		this.unbound = this.programs.start(RESOLVER, PORT, "/usr/sbin/unbound", "-d", "-c", file.toString());
	}

	void stopResolver() throws InterruptedException {
		if (this.unbound != null) {
			this.unbound.destroy();
			this.unbound.waitFor();
		}
	}

	/** Whether the resolver was asked for records. */
	boolean wasAsked(String type, String name) throws IOException {
		return Files.readString(this.directory.resolve("queries")).contains(" " + name + ". " + type + " IN");
	}

	/**
	 * Adds a mail server.
	 * @param chain certificates, the first with its key; none for a server without TLS
	 */
	void serve(String address, TestCertificate... chain) throws Exception {
		this.postfix.serve(address, chain);
	}

	/** Starts the mail servers. */
	void startMailServers() throws Exception {
		this.postfix.start(this.programs);
	}

	/** Whether a mail server has stored mail for a domain. */
	boolean hasMail(String domain) throws IOException {
		return this.postfix.hasMail(domain);
	}

	/** A resolver that asks the one that runs. */
	ExtendedResolver resolver() {
		ExtendedResolver resolver = new ExtendedResolver(
				new Resolver[] { new SimpleResolver(new InetSocketAddress(RESOLVER, PORT)) });
		resolver.setTimeout(Duration.ofSeconds(2));
		resolver.setRetries(1);
		return resolver;
	}

	/** Data of the DS record of the root zone. */
	String anchor() throws IOException {
		return data(".");
	}

	@Override
	public void close() throws InterruptedException {
		this.programs.close();
	}

}
