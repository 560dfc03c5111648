package dev.mailroom.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Callable;

import dev.mailroom.TestDatabase;
import dev.mailroom.WrongSetting;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The three kinds of connections, with servers that offer TLS and that do not. */
class DatabaseTlsTest {

	private static final DatabaseUrl.Login SUPERUSER = new DatabaseUrl.Login("postgres", "postgres");

	private static final DatabaseUrl.Login CLIENT = new DatabaseUrl.Login("mailroom_certified", "");

	@TempDir
	static Path directory;

	private static EmbeddedPostgres server;

	@BeforeAll
	static void start() throws Exception {
		certificate("localhost", "localhost");
		certificate("other", "localhost");
		certificate("client", CLIENT.user());
		certificate("stranger", "stranger");
		Path access = Files.writeString(directory.resolve("pg_hba.conf"), """
				hostssl all mailroom_certified all cert
				host all postgres all trust
				""");
		Path clients = Files.writeString(directory.resolve("clients.pem"),
				Files.readString(directory.resolve("client.pem"))
						+ Files.readString(directory.resolve("stranger.pem")));
		server = EmbeddedPostgres.builder()
			.setServerConfig("ssl", "on")
			.setServerConfig("ssl_cert_file", directory.resolve("localhost.pem").toString())
			.setServerConfig("ssl_key_file", directory.resolve("localhost.key").toString())
			.setServerConfig("ssl_ca_file", clients.toString())
			.setServerConfig("hba_file", access.toString())
			.start();
		try (Connection connection = server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create role " + CLIENT.user() + " login superuser; create role mailroom login");
		}
	}

	@AfterAll
	static void stop() throws IOException {
		server.close();
	}

	@Test
	void everyConnectionVerifiesTheServer() throws Exception {
		String url = url(server.getPort(), "verify-full&sslrootcert=" + directory.resolve("localhost.pem"));
		for (Map.Entry<String, Callable<Boolean>> connection : connections(url).entrySet()) {
			assertThat(connection.getValue().call()).as(connection.getKey() + " is encrypted").isTrue();
		}
	}

	@Test
	void aServerThatDemandsACertificateKnowsEveryConnectionByItsOwn() throws Exception {
		String url = verified(
				"&sslcert=%s&sslkey=%s".formatted(directory.resolve("client.pem"), directory.resolve("client.key")));
		for (Map.Entry<String, Callable<Boolean>> connection : connections(url, CLIENT).entrySet()) {
			assertThat(connection.getValue().call()).as(connection.getKey() + " is encrypted").isTrue();
		}
		Migrate.run(url, new Migrate.Owner(CLIENT.user(), CLIENT.password()), "mailroom");
	}

	@Test
	void noConnectionIsKnownByTheCertificateOfAnotherRoleOrWithoutOne() {
		String stranger = verified("&sslcert=%s&sslkey=%s".formatted(directory.resolve("stranger.pem"),
				directory.resolve("stranger.key")));
		connections(stranger, CLIENT)
			.forEach((name, connection) -> assertThatThrownBy(connection::call).as(name).isNotNull());
		connections(verified(""), CLIENT)
			.forEach((name, connection) -> assertThatThrownBy(connection::call).as(name).isNotNull());
	}

	@Test
	void aCertificateThatCannotBeReadIsNamed() {
		String url = verified("&sslcert=/missing.pem&sslkey=/missing.key");
		assertThatThrownBy(() -> connections(url, CLIENT).get("JDBC").call()).isInstanceOf(WrongSetting.class)
			.hasMessageContaining("sslcert=/missing.pem");
	}

	private static String verified(String client) {
		return url(server.getPort(), "verify-full&sslrootcert=" + directory.resolve("localhost.pem") + client);
	}

	@Test
	void noConnectionAcceptsAServerThatAnotherAuthoritySigned() {
		String url = url(server.getPort(), "verify-full&sslrootcert=" + directory.resolve("other.pem"));
		connections(url).forEach((name, connection) -> assertThatThrownBy(connection::call).as(name).isNotNull());
	}

	@Test
	void noConnectionFallsBackToAServerWithoutTls() {
		String url = TestDatabase.URL + "?sslmode=require";
		connections(url).forEach((name, connection) -> assertThatThrownBy(connection::call).as(name).isNotNull());
		assertThatThrownBy(() -> Migrate.run(url, new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), "x"))
			.isInstanceOf(FlywayException.class)
			.hasMessageContaining("SSL");
	}

	private static String url(int port, String mode) {
		return "postgresql://localhost:" + port + "/postgres?sslmode=" + mode;
	}

	private static Map<String, Callable<Boolean>> connections(String url) {
		return connections(url, SUPERUSER);
	}

	/** Each tells whether its connection is encrypted. */
	private static Map<String, Callable<Boolean>> connections(String url, DatabaseUrl.Login login) {
		String sql = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
		DatabaseUrl address = DatabaseUrl.parse(url);
		return Map.of("R2DBC",
				() -> Boolean.TRUE.equals(
						Mono.usingWhen(new HostConnections(address.r2dbc(login), Duration.ofSeconds(20)).create(),
								(connection) -> Mono.from(connection.createStatement(sql).execute())
									.flatMap((result) -> Mono.from(result.map((row) -> row.get(0, Boolean.class)))),
								(connection) -> connection.close())
							.block(Duration.ofMinutes(1))),
				"JDBC", () -> {
					try (Connection connection = new JdbcConnections(address, login, Map.of(), Duration.ofSeconds(20),
							Duration.ofSeconds(20))
						.getConnection(); ResultSet rows = connection.createStatement().executeQuery(sql)) {
						return rows.next() && rows.getBoolean(1);
					}
				});
	}

	/** Writes a self-signed certificate and its key, as PEM. */
	private static void certificate(String name, String subject) throws Exception {
		Path file = directory.resolve(name + ".p12");
		String password = "changeit";
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=" + subject, "-ext",
				"san=dns:localhost", "-ext", "bc=ca:true", "-validity", "2", "-storetype", "PKCS12", "-keystore",
				file.toString(), "-storepass", password)
			.inheritIO()
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			store.load(in, password.toCharArray());
		}
		write(directory.resolve(name + ".pem"), "CERTIFICATE", store.getCertificate("server").getEncoded());
		Path key = directory.resolve(name + ".key");
		write(key, "PRIVATE KEY", store.getKey("server", password.toCharArray()).getEncoded());
		Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
	}

	private static void write(Path file, String type, byte[] content) throws IOException {
		Files.writeString(file, "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(content)
				+ "\n-----END " + type + "-----\n");
	}

}
