package dev.mailroom;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The statements of a mail's way on servers with PostgreSQL's default settings: the
 * oldest release that is supported, and the newest. Servers of other tests have settings
 * of their own.
 */
@Isolated("it starts servers")
class ServerDefaultsTest {

	private static final String USE = "select count(*), coalesce(sum(jit_functions), 0) "
			+ "from pg_stat_statements where query like '%queue%'";

	@ParameterizedTest
	@ValueSource(ints = { DefaultServer.OLDEST, 18 })
	void noStatementIsCompiledByTheServer(int release) throws Exception {
		try (DefaultServer server = new DefaultServer(release)) {
			for (String sql : mails(UUID.randomUUID())) {
				server.run(sql);
			}
			try (ConfigurableApplicationContext core = server.core()) {
				assertThat(delivered(core.getBean(Queue.class), core.getBean(Outcomes.class))).isEqualTo(100);
			}
			try (Connection connection = server.connect();
					Statement statement = connection.createStatement();
					ResultSet use = statement.executeQuery(USE)) {
				assertThat(use.next()).isTrue();
				assertThat(use.getInt(1)).as("statements").isGreaterThan(3);
				assertThat(use.getInt(2)).as("functions compiled").isZero();
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

}
