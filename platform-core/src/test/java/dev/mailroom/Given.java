package dev.mailroom;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

	/**
	 * Gives an account a row in every table that does not follow from its mails.
	 * @return a member that it gets
	 */
	public static UUID rowInEveryTable(UUID account) {
		UUID domain = domain(account);
		UUID accomplice = account("free");
		run("""
				update account set role = 'member' where id = '%2$s';
				update member set account_id = '%1$s' where person_id = '%2$s';
				insert into invitation (id, account_id, email, email_key, role, hash, expires_at)
				values (gen_random_uuid(), '%1$s', 'x@evil.test', 'x@evil.test', 'owner', sha256('%1$s'), now() + interval '1 day');
				insert into brand (account_id, name, updated_at) values ('%1$s', 'b', now());
				insert into second_factor (account_id, sealed_secret, confirmed_at) values ('%1$s', 'x', now());
				insert into recovery_code (account_id, hash) values ('%1$s', 'x');
				insert into sign_in_challenge (hash, account_id, expires_at)
				values (sha256('%1$s'), '%1$s', now() + interval '1 minute');
				insert into identity (issuer, subject, account_id) values ('https://evil.test', '%1$s', '%1$s');
				insert into dkim_key (id, account_id, domain_id, selector, algorithm, public_key, sealed_private_key, active,
				                      created_at)
				values (gen_random_uuid(), '%1$s', '%3$s', 's', 'rsa-sha256', 'p', 'k', true, now());
				insert into domain_warmup (domain_id, account_id, started_at, allowances) values ('%3$s', '%1$s', now(), '{1}');
				insert into api_key (id, account_id, domain_id, name, prefix, secret_hash, permissions, created_at)
				values (gen_random_uuid(), '%1$s', '%3$s', 'k', '%1$s', 'x', '{send}', now()),
				       (gen_random_uuid(), '%1$s', null, 'a', 'a%1$s', 'x', '{domains.write}', now());
				insert into device_sign_in (device_hash, code_hash, program, device, address, requested, expires_at,
				                            interval_seconds, state, account_id, person_id, key_name, permissions)
				values (sha256('d%1$s'), sha256('c%1$s'), 'p', '', '', '{}', now() + interval '10 minutes', 5,
				        'approved', '%1$s', '%1$s', 'k', '{send}');
				insert into template (id, account_id, name, text_content, variables, created_at, updated_at)
				values ('%3$s', '%1$s', 't', 'x', '{}', now(), now());
				insert into template_version (id, account_id, template_id, number, name, text_content, variables,
				                              changed_at)
				values (gen_random_uuid(), '%1$s', '%3$s', 1, 't', 'x', '{}', now());
				insert into block_document (id, account_id, template_id, document, html_hash)
				values (gen_random_uuid(), '%1$s', '%3$s', '{}', 'x');
				insert into segment values (gen_random_uuid(), '%1$s', 's', '{}', now(), now());
				insert into image (id, account_id, name, type, size, content, created_at)
				values (gen_random_uuid(), '%1$s', 'i', 'image/png', 1, 'x', now());
				insert into dmarc_report (id, account_id, domain_id, sender, org, report_id, verified, begin_at, end_at,
				                          policy, received_at)
				values ('%3$s', '%1$s', '%3$s', 's', 'o', 'r', true, now(), now(), '{}', now());
				insert into dmarc_row values ('%3$s', 1, '%1$s', '192.0.2.1', 1, 'none', true, true, 'h', 'e', '');
				insert into acme_order (id, account_id, name, began_at) values ('%3$s', '%1$s', 'x', now());
				insert into tracking_domain (id, account_id, domain_id, name, created_at)
				values ('%3$s', '%1$s', '%3$s', '%1$s.test', now());
				insert into hosted_policy values ('%3$s', '%1$s', 'testing', now());
				insert into tls_report values ('%3$s', '%1$s', '%3$s', 's', 'o', 'r', true, now(), now(), 1, 1, now());
				insert into tls_report_failure values ('%3$s', 1, '%1$s', 'sts', 'r', '', '', '', 1);
				insert into bimi_check values ('%3$s', '%1$s', 'pass', '', null, now(), now());
				insert into inbound_route values (gen_random_uuid(), '%1$s', '%3$s', 1, '*', 'mark', 'drop', true, now());
				insert into forward_target values (gen_random_uuid(), '%1$s', 'a@b.test', 'a@b.test', null, now());
				insert into forward_hour values ('%1$s', '%3$s', now(), 'queued', 1);
				insert into contact_book (id, account_id, name, created_at, updated_at)
				values ('%3$s', '%1$s', 'b', now(), now());
				insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at)
				values ('%3$s', '%1$s', '%3$s', 'a@b.test', 'a@b.test', now(), now());
				insert into former_contact (id, account_id, contact_book_id, address_hash, unsubscribed)
				values ('%2$s', '%1$s', '%3$s', sha256('%1$s'), true);
				insert into confirmation (contact_id, account_id) values ('%3$s', '%1$s');
				insert into suppression values (gen_random_uuid(), '%1$s', 'a@b.test', 'manual', now());
				insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, contact_book_id,
				                      contact_book_name, text_content, created_at, updated_at)
				values (gen_random_uuid(), '%1$s', 'c', 'draft', 'a@b.test', 'a@b.test', '%3$s', 's', '%3$s', 'b', 'x', now(),
				        now());
				insert into webhook_endpoint (id, account_id, url, events, sealed_secret, created_at)
				values (gen_random_uuid(), '%1$s', 'https://evil.test', '{email.sent}', 'x', now());
				insert into account_deletion (account_id, delete_at) values ('%1$s', now());
				insert into account_note (id, account_id, author_id, note, created_at)
				values (gen_random_uuid(), '%1$s', '%1$s', 'n', now());
				""",
				account, accomplice, domain);
		return accomplice;
	}

	/** All tables with accounts; partitions count as their tables. */
	public static Set<String> tables() {
		return new TreeSet<>(rows("""
				select table_name from information_schema.columns
				  join pg_class on oid = format('%%I.%%I', table_schema, table_name)::regclass
				 where table_schema = 'public' and relkind in ('r', 'p') and not relispartition
				   and (column_name = 'account_id' or (table_name = 'account' and column_name = 'id'))
				"""));
	}

	/** Tables with rows of an account. */
	public static Set<String> tablesWithRowsOf(UUID account) {
		Set<String> found = new TreeSet<>();
		for (String table : tables()) {
			if (!rows("select true from %s where %s = '%s' limit 1", table,
					table.equals("account") ? "id" : "account_id", account)
				.isEmpty()) {
				found.add(table);
			}
		}
		return found;
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
