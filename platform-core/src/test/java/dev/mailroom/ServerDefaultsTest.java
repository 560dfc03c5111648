package dev.mailroom;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import dev.mailroom.database.Migrate;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The statements of a mail's way on servers with PostgreSQL's default settings: the
 * oldest release that is supported, and the newest. Servers of other tests have settings
 * of their own.
 */
@Isolated("it starts servers")
class ServerDefaultsTest {

	private static final String USE = "select version(), count(*), coalesce(sum(calls), 0), "
			+ "coalesce(sum(jit_functions), 0) from pg_stat_statements where query like '%queue%'";

	@ParameterizedTest
	@ValueSource(ints = { 15, 18 })
	void noStatementIsCompiledByTheServer(int release) throws Exception {
		try (EmbeddedPostgres server = start(release)) {
			String url = "postgresql://localhost:" + server.getPort() + "/mailroom";
			run(server, "postgres", "create role mailroom_owner login createrole password 'secret'");
			run(server, "postgres", "create role mailroom login noinherit password 'secret'");
			run(server, "postgres", "create database mailroom owner mailroom_owner");
			Migrate.run(url, new Migrate.Owner("mailroom_owner", "secret"), "mailroom");
			run(server, "mailroom", "create extension pg_stat_statements");
			UUID account = UUID.randomUUID();
			for (String sql : mails(account)) {
				run(server, "mailroom", sql);
			}
			try (ConfigurableApplicationContext core = new SpringApplicationBuilder(WithCore.Features.class)
				.web(WebApplicationType.NONE)
				.properties("spring.r2dbc.url=r2dbc:" + url, "spring.r2dbc.username=mailroom",
						"spring.r2dbc.password=secret",
						"mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=")
				.run()) {
				assertThat(delivered(core.getBean(Queue.class), core.getBean(Outcomes.class))).isEqualTo(100);
			}
			try (Connection connection = connect(server, "mailroom");
					Statement statement = connection.createStatement();
					ResultSet use = statement.executeQuery(USE)) {
				assertThat(use.next()).isTrue();
				assertThat(use.getString(1)).startsWith("PostgreSQL " + release + ".");
				assertThat(use.getInt(2)).as("statements").isGreaterThan(3);
				assertThat(use.getInt(4)).as("functions compiled").isZero();
			}
		}
	}

	/** Sends some mail of a long queue; the number of mails. */
	private static int delivered(Queue queue, Outcomes outcomes) {
		List<Lease> leases = LeaseStep.lease(queue, LeaseStep.window(100, 100));
		try (Fenced fenced = queue.fence(leases, Duration.ofMinutes(1))) {
			List<HandOver> handOvers = fenced.handOvers();
			outcomes.settle(handOvers.stream()
				.map((handOver) -> new Settlement(handOver.lease(), new Outcome.Delivered("250 ok")))
				.toList());
			return handOvers.size();
		}
	}

	/** An account with 20 000 mails that are due. */
	private static List<String> mails(UUID account) {
		return Stream.of(
				"insert into account (id, email, email_key, email_verified_at, plan, created_at) values "
						+ "('%1$s', 'a@b.test', 'a@b.test', now(), 'unlimited', now())",
				"insert into domain (id, account_id, name, status, ownership_token, created_at) values "
						+ "('%1$s', '%1$s', 'b.test', 'verified', 'token', now())",
				"insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, last_event, created_at) "
						+ "select md5(n::text)::uuid, '%1$s', '%1$s', 'a@b.test', 'a@b.test', '{c@d.test}', 'Hello', 'queued', now() "
						+ "from generate_series(1, 20000) n",
				"insert into email_content (email_id, account_id, text) select id, '%1$s', 'Hi' from email",
				"insert into delivery (id, account_id, email_id, position, recipient, status, created_at) "
						+ "select id, '%1$s', id, 0, 'c@d.test', 'pending', now() from email",
				"insert into queue (id, account_id, email_id, recipient, destination, ready, due_at) "
						+ "select id, '%1$s', id, 'c@d.test', 'd.test', true, now() from email")
			.map((sql) -> sql.formatted(account))
			.toList();
	}

	private static EmbeddedPostgres start(int release) throws IOException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setServerConfig("shared_preload_libraries", "pg_stat_statements")
			// The builder turns off what servers have on by default.
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on");
		if (release == 15) {
			builder.setPgBinaryResolver((system, machine) -> binaries("postgres-" + system + "-" + machine));
		}
		return builder.start();
	}

	/** The archive of the older server, which is not on the class path. */
	private static InputStream binaries(String name) throws IOException {
		try (Stream<Path> jars = Files.list(Path.of("target", "postgres-15"))) {
			ZipInputStream jar = new ZipInputStream(Files.newInputStream(jars.findFirst().orElseThrow()));
			for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
				if (entry.getName().endsWith(".txz")) {
					return jar;
				}
			}
			throw new IOException("No archive for " + name);
		}
	}

	private static void run(EmbeddedPostgres server, String database, String sql) throws SQLException {
		try (Connection connection = connect(server, database); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static Connection connect(EmbeddedPostgres server, String database) throws SQLException {
		return server.getDatabase("postgres", database).getConnection();
	}

}
