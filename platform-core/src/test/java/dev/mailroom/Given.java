package dev.mailroom;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.google.errorprone.annotations.FormatMethod;
import dev.mailroom.account.QuickPasswords;

/** Test data, inserted into the database directly. */
public final class Given {

	/** UUIDv7, because retention finds old rows by their ids. */
	private static final NoArgGenerator IDS = Generators.timeBasedEpochRandomGenerator();

	/** One connection for each thread; it is open until the thread or process ends. */
	private static final ThreadLocal<Connection> CONNECTION = new ThreadLocal<>();

	/** Password of all persons. */
	public static final String PASSWORD = "correct horse battery";

	private static final String HASH = QuickPasswords.hash(PASSWORD);

	private Given() {
	}

	/** An account with a verified address. */
	public static UUID account(String plan) {
		UUID id = UUID.randomUUID();
		run("insert into account (id, email, email_key, email_verified_at, plan, created_at) values "
				+ "('%1$s', '%1$s@owner.test', '%1$s@owner.test', now(), '%2$s', now())", id, plan);
		return id;
	}

	/** An account with a verified address and {@link #PASSWORD}. */
	public static UUID person(String email) {
		UUID id = IDS.generate();
		run("insert into account (id, email, email_key, name, password_hash, email_verified_at, plan, created_at) values "
				+ "('%1$s', '%2$s', '%2$s', 'Ann', '%3$s', now(), 'free', now())", id, email, HASH);
		return id;
	}

	/** A verified domain; its name is {@code <id>.test}. */
	public static UUID domain(UUID account) {
		UUID id = UUID.randomUUID();
		run("insert into domain (id, account_id, name, status, ownership_token, created_at) values "
				+ "('%1$s', '%2$s', '%1$s.test', 'verified', 'token', now())", id, account);
		return id;
	}

	/** The scope of an API key for a verified domain of a new account. */
	public static Scope sender(String plan) {
		UUID account = account(plan);
		return Scope.of(account, domain(account), UUID.randomUUID());
	}

	/** A queued mail, due now, with a delivery for each recipient. */
	public static UUID mail(Scope scope, String... recipients) {
		UUID id = unqueued(scope, recipients);
		queue(id);
		return id;
	}

	/** Inserts a mail whose deliveries are pending, but not in the queue. */
	public static UUID unqueued(Scope scope, String... recipients) {
		UUID id = IDS.generate();
		run("insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, last_event, created_at) "
				+ "values ('%s', '%s', '%s', 'Ann <a@%3$s.test>', 'a@%3$s.test', '{%s}', 'Hello', 'queued', now())", id,
				scope.account(), scope.domain(), String.join(",", recipients));
		run("insert into email_content (email_id, account_id, text) values ('%s', '%s', 'Hi')", id, scope.account());
		for (int i = 0; i < recipients.length; i++) {
			run("insert into delivery (id, account_id, email_id, position, recipient, status, created_at) "
					+ "values ('%s', '%s', '%s', %d, '%s', 'pending', now())", UUID.randomUUID(), scope.account(), id,
					i, recipients[i]);
		}
		return id;
	}

	/** Inserts the pending deliveries of a mail into the queue, due now. */
	public static void queue(UUID mail) {
		queue(mail, Duration.ZERO);
	}

	/** Inserts the pending deliveries of a mail into the queue, due after a time. */
	public static void queue(UUID mail, Duration after) {
		run("insert into queue (id, account_id, email_id, recipient, destination, contact_id, ready, due_at) "
				+ "select id, account_id, email_id, recipient, lower(substring(recipient from '[^@]*$')), contact_id, "
				+ "%s, now() + interval '%d seconds' from delivery where email_id = '%s' and status = 'pending'",
				after.isZero(), after.toSeconds(), mail);
	}

	/** Sets the epoch of the queued deliveries of a mail, which a lease has as well. */
	public static void leased(UUID mail, int epoch) {
		run("update queue set epoch = %s where email_id = '%s'", epoch, mail);
	}

	/** Lets the queued deliveries of a mail be sent, as if they had passed the fence. */
	public static void inData(UUID mail) {
		run("update queue set data_until = now() + interval '15 minutes', epoch = epoch + 1, attempt = attempt + 1 "
				+ "where email_id = '%s'", mail);
	}

	/** Lets the hand-overs of a mail expire. */
	public static void expired(UUID mail) {
		run("update queue set data_until = now() - interval '1 second' "
				+ "where data_until is not null and email_id = '%s'", mail);
	}

	/** Sets when the queued deliveries of a mail are due, relative to now. */
	public static void due(UUID mail, String interval) {
		run("update queue set due_at = now() + interval '%2$s', ready = interval '%2$s' <= interval '0' "
				+ "where email_id = '%1$s'", mail, interval);
	}

	/**
	 * Fills the queue with deliveries that are due next week, each of another account.
	 */
	public static void laterMail(int count) {
		run("insert into queue (id, account_id, email_id, recipient, destination, ready, due_at) "
				+ "select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'b@c.test', 'c.test', false, "
				+ "now() + interval '7 days' from generate_series(1, %d); analyze queue", count);
	}

	/** Removes the deliveries of all other accounts from the queue. */
	public static void emptyQueueExceptFor(UUID account) {
		run("delete from queue where account_id <> '%s'", account);
	}

	/** An inbound mail with an attachment. */
	public static UUID inbound(UUID account, UUID domain) {
		UUID id = IDS.generate();
		run("insert into inbound_email (id, account_id, domain_id, from_email, to_emails, subject, spf_verdict, created_at) "
				+ "values ('%s', '%s', '%s', 'a@b.test', '{in@c.test}', 'Hello', 'PASS', now())", id, account, domain);
		run("insert into inbound_content (inbound_email_id, account_id, text, raw) values ('%s', '%s', 'Hi', "
				+ "convert_to(E'Subject: Hello\\r\\n\\r\\nHi', 'UTF8'))", id, account);
		run("insert into inbound_attachment values ('%s', 0, '%s', 'a.txt', 'text/plain', 'file')", id, account);
		return id;
	}

	/** Waits until another session waits for a lock of this thread's connection. */
	public static void untilBlocking(String description) {
		Await.until(description,
				() -> !rows(
						"select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))")
					.isEmpty());
	}

	/** Runs a statement as the superuser. */
	@FormatMethod
	public static void run(String sql, Object... arguments) {
		try (Statement statement = connection().createStatement()) {
			statement.execute(sql.formatted(arguments));
		}
		catch (SQLException ex) {
			throw new IllegalStateException(sql, ex);
		}
	}

	/** The first column of a query, run as the superuser. */
	@FormatMethod
	public static List<String> rows(String sql, Object... arguments) {
		List<String> values = new ArrayList<>();
		try (Statement statement = connection().createStatement();
				ResultSet rows = statement.executeQuery(sql.formatted(arguments))) {
			while (rows.next()) {
				values.add(String.valueOf(rows.getString(1)));
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(sql, ex);
		}
		return values;
	}

	private static Connection connection() throws SQLException {
		Connection connection = CONNECTION.get();
		if (connection == null || connection.isClosed()) {
			connection = TestDatabase.connect("mailroom");
			CONNECTION.set(connection);
		}
		return connection;
	}

}
