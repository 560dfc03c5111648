package dev.mailroom.system.faults;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.database.Migrate;
import dev.mailroom.process.Database;
import dev.mailroom.process.PostgresServers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Three PostgreSQL servers that Patroni and etcd manage as docs/operations.md recommends:
 * one standby must have stored each commit, also while there is none. The programs are
 * those of Debian's packages patroni, etcd-server and postgresql.
 */
final class PatroniCluster implements PostgresServers {

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	private static final int NODES = 3;

	private static final Path PATRONI = Path.of("/usr/bin/patroni");

	private static final Path ETCD = Path.of("/usr/bin/etcd");

	private static final Path POSTGRESQL = Path.of("/usr/lib/postgresql");

	private final HttpClient http = HttpClient.newHttpClient();

	private final List<Node> nodes = new ArrayList<>();

	private final Path directory;

	private final Process etcd;

	/** Starts the servers with a database that has the schema. */
	PatroniCluster(Path directory, String name) throws Exception {
		this.directory = Files.createDirectories(directory.resolve("patroni"));
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		int clients = freePort();
		String peers = "http://127.0.0.1:" + freePort();
		String url = "http://127.0.0.1:" + clients;
		this.etcd = start("etcd",
				List.of(ETCD.toString(), "--data-dir", this.directory.resolve("etcd.data").toString(),
						"--listen-client-urls", url, "--advertise-client-urls", url, "--listen-peer-urls", peers,
						"--initial-advertise-peer-urls", peers, "--initial-cluster", "default=" + peers));
		try {
			for (int i = 0; i < NODES; i++) {
				this.nodes.add(new Node("node" + i, DatabaseProxy.start(URI.create(url))));
				this.nodes.getLast().start();
				if (i == 0) {
					awaitLeader();
				}
			}
			awaitStandbys();
			Database.createRoles(this);
			run("postgres", "create database " + name + " owner " + Database.OWNER);
			Migrate.run(url(name), new Migrate.Owner(Database.OWNER, ""), Database.APP);
		}
		catch (Exception | AssertionError ex) {
			close();
			throw ex;
		}
	}

	static boolean isInstalled() {
		return Stream.of(PATRONI, ETCD).allMatch(Files::isExecutable) && Files.isDirectory(POSTGRESQL);
	}

	private Process start(String name, List<String> command) throws IOException {
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(this.directory.resolve(name + ".log").toFile()))
			.start();
	}

	@Override
	public String url(String name) {
		return this.nodes.stream()
			.map((node) -> "127.0.0.1:" + node.port)
			.collect(Collectors.joining(",", "postgresql://", "/" + name));
	}

	@Override
	public Connection connect(String database) throws SQLException {
		return DriverManager.getConnection(
				"jdbc:" + url(database) + "?targetServerType=primary&connectTimeout=3&socketTimeout=10", "postgres",
				"");
	}

	/** The node with the lock of the leader, once there is one that runs. */
	Node awaitLeader() {
		Await.until("there is a leader", TIMEOUT, () -> leader().isPresent());
		return leader().orElseThrow();
	}

	private Optional<Node> leader() {
		return this.nodes.stream().filter((node) -> status(node, "/leader") == 200).findFirst();
	}

	/** Waits until all other nodes follow the leader, one of them synchronously. */
	void awaitStandbys() {
		Await.until("all standbys follow", TIMEOUT, () -> {
			List<JsonNode> members = members();
			return members.size() == NODES
					&& members.stream()
						.allMatch((member) -> List.of("running", "streaming")
							.contains(member.path("state").stringValue("")))
					&& members.stream()
						.map((member) -> member.path("role").stringValue(""))
						.sorted()
						.toList()
						.equals(List.of("leader", "replica", "sync_standby"));
		});
	}

	private List<JsonNode> members() throws Exception {
		return JsonMapper.shared()
			.readTree(this.http.send(awaitLeader().request("/cluster").build(), BodyHandlers.ofString()).body())
			.path("members")
			.valueStream()
			.toList();
	}

	/**
	 * Hands the role of the primary to a standby as {@code patronictl switchover} does.
	 */
	void switchOver() throws Exception {
		Node leader = awaitLeader();
		HttpRequest request = leader.request("/switchover")
			.POST(BodyPublishers.ofString("{\"leader\": \"" + leader.name + "\"}"))
			.build();
		if (this.http.send(request, BodyHandlers.ofString()).statusCode() != 200) {
			throw new IllegalStateException("The switchover was refused");
		}
	}

	/** Waits until another node is the leader. */
	void awaitLeaderOtherThan(Node former) {
		Await.until("another node is the leader", TIMEOUT,
				() -> leader().filter((leader) -> leader != former).isPresent());
	}

	private int status(Node node, String path) {
		try {
			return this.http.send(node.request(path).build(), BodyHandlers.discarding()).statusCode();
		}
		catch (IOException _) {
			return 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

	@Override
	public void close() throws IOException {
		for (Node node : this.nodes) {
			node.kill();
			node.etcd.close();
		}
		this.etcd.destroyForcibly().onExit().join();
		this.http.close();
	}

	/** PostgreSQL server with its Patroni, which reaches etcd by a proxy. */
	final class Node {

		private final String name;

		private final DatabaseProxy etcd;

		private final int port = freePort();

		private final int api = freePort();

		private final Path data;

		private Process patroni;

		private Node(String name, DatabaseProxy etcd) throws IOException {
			this.name = name;
			this.etcd = etcd;
			this.data = PatroniCluster.this.directory.resolve(name);
		}

		/** Starts Patroni, as user postgres if this is root. */
		void start() throws IOException {
			Path file = Files.writeString(PatroniCluster.this.directory.resolve(this.name + ".yml"), configuration());
			List<String> command = new ArrayList<>(List.of(PATRONI.toString(), file.toString()));
			if (System.getProperty("user.name").equals("root")) {
				Files.createDirectories(this.data);
				Files.setOwner(this.data,
						this.data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
				command.addAll(0, List.of("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"));
			}
			this.patroni = PatroniCluster.this.start(this.name, command);
		}

		private String configuration() throws IOException {
			return """
					scope: mailroom
					name: %s
					restapi: {listen: "127.0.0.1:%d", connect_address: "127.0.0.1:%d"}
					etcd3: {use_proxies: true, hosts: ["127.0.0.1:%d"]}
					bootstrap:
					  dcs:
					    ttl: 20
					    loop_wait: 2
					    retry_timeout: 4
					    synchronous_mode: true
					    synchronous_mode_strict: true
					    synchronous_node_count: 1
					    postgresql:
					      use_pg_rewind: true
					      parameters: {max_connections: 200, wal_log_hints: "on", wal_keep_size: 256MB}
					  initdb: [{encoding: UTF8}, {auth: trust}]
					postgresql:
					  listen: "127.0.0.1:%d"
					  connect_address: "127.0.0.1:%d"
					  data_dir: %s
					  bin_dir: %s
					  pgpass: %s
					  authentication:
					    superuser: {username: postgres}
					    replication: {username: replicator}
					  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
					  parameters: {unix_socket_directories: ""}
					""".formatted(this.name, this.api, this.api, this.etcd.port(), this.port, this.port,
					this.data.resolve("data"), programs(), this.data.resolve("pgpass"));
		}

		private static Path programs() throws IOException {
			try (Stream<Path> versions = Files.list(POSTGRESQL)) {
				return versions.max(Comparator.comparing((version) -> version.getFileName().toString()))
					.orElseThrow()
					.resolve("bin");
			}
		}

		private HttpRequest.Builder request(String path) {
			return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.api + path))
				.timeout(Duration.ofSeconds(5));
		}

		/** Kills Patroni and all processes of the server at once. */
		void kill() throws IOException {
			List<ProcessHandle> all = processes();
			all.forEach(ProcessHandle::destroyForcibly);
			all.forEach((process) -> process.onExit().join());
		}

		/** Halts Patroni and all processes of the server; connections stay open. */
		void freeze() throws Exception {
			signal("-STOP");
		}

		void thaw() throws Exception {
			signal("-CONT");
		}

		private void signal(String signal) throws Exception {
			List<String> command = new ArrayList<>(List.of("kill", signal));
			processes().forEach((process) -> command.add(Long.toString(process.pid())));
			if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
				throw new IllegalStateException("The processes did not get " + signal);
			}
		}

		/** Patroni first, so that it starts no server again. */
		private List<ProcessHandle> processes() throws IOException {
			Stream<ProcessHandle> all = Stream.concat(Stream.of(this.patroni.toHandle()), this.patroni.descendants());
			Path pid = this.data.resolve("data/postmaster.pid");
			if (Files.exists(pid)) {
				List<String> lines = Files.readAllLines(pid);
				all = Stream.concat(all,
						ProcessHandle.of(Long.parseLong(lines.getFirst()))
							.stream()
							.flatMap((server) -> Stream.concat(Stream.of(server), server.descendants())));
			}
			return all.filter(ProcessHandle::isAlive).distinct().toList();
		}

		/** Cuts the node off from etcd; its connections stay open. */
		void partition() {
			this.etcd.freeze();
		}

		void heal() {
			this.etcd.thaw();
		}

	}

}
