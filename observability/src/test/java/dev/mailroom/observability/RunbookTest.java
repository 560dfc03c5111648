package dev.mailroom.observability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class RunbookTest {

	private static final Pattern STATEMENT = Pattern.compile("`((?:select|update|with|delete|insert) [^`]+)`");

	private static final Path OPERATIONS = Path.of("../docs/operations.md");

	/** A statement that a person gives to psql. */
	private static final Pattern QUERY = Pattern.compile("psql -t?c (['\"])(select .+?)\\1");

	/** Tables that grow with the mail and are no partitions. */
	private static final Set<String> LARGE = Set.of("idempotency_key", "campaign_recipient");

	private static final Pattern SCRIPT = Pattern.compile("```sql\\n(.+?)```", Pattern.DOTALL);

	/** Each statement, and a part of a row that it must return in {@link #incident}. */
	private static final Map<String, String> ANSWERS = Map.ofEntries(
			Map.entry("queue_reply group by", "550 5.7.1 blocked"),
			Map.entry("queue_reply where reply like '5%'", "550 5.7.1 blocked"),
			Map.entry("select left(data #>> '{bounce,diagnostic}'", "550 5.7.1 blocked"),
			Map.entry("select account_id, count(*) from event", "ACCOUNT"),
			Map.entry("sum(hard_bounced) bounced", "ACCOUNT|900|"),
			Map.entry("sum(complained) complaints", "ACCOUNT|800|"),
			Map.entry("from queue where ambiguous > 0", "blocked.test|"), Map.entry("select ready, held", "t|"),
			Map.entry("from queue_pause", "incident"), Map.entry("select endpoint_id, count(*)", "ENDPOINT|3|"),
			Map.entry("select endpoint_id, lease_until", "ENDPOINT|"),
			Map.entry("select account_id, count(*) from webhook_delivery", "ACCOUNT|3"),
			Map.entry("select endpoint_id, avg(took_ms)", "ENDPOINT|"),
			Map.entry("select account_id, url", "ACCOUNT|https://x.test/"), Map.entry("select error", "refused|3"),
			Map.entry("dkim_key.created_at", "|old-key|"), Map.entry("_domainkey.", "old-key._domainkey."),
			Map.entry("from address_check", "192.0.2.1|SpamCop|"), Map.entry("from site_memory", "yahoo|1|3|"),
			Map.entry("from sending_pool_member", "main|out|1|paused|192.0.2.1"), Map.entry("from source_seen", "out|"),
			Map.entry("from acme_order", "|links.shop.test|failed|"),
			Map.entry("from directory_cell", "zz9|https://zz9.test|"),
			Map.entry("result, secure_until from dane_seen", "dane.test|refused|"),
			Map.entry("from tracking_domain", "links.shop.test|failing|"),
			Map.entry("from source_warmup_day", "out|gmail|"), Map.entry("from flyway_schema_history", "|t"),
			Map.entry("locktype = 'advisory'", "PID|"), Map.entry("select state, wait_event, left(query", "idle"),
			Map.entry("select wait_event_type, wait_event", "ClientRead|"),
			Map.entry("select pid, state, xact_start, query", "PID|"),
			Map.entry("select pid, state, now() - xact_start", "PID|"), Map.entry("select slot_name", "runbook_slot|"),
			Map.entry("relid::regclass", "email_other"), Map.entry("from account_deletion", "ACCOUNT|"),
			Map.entry("pg_database_size", " "), Map.entry("pg_stat_user_tables", "|"),
			Map.entry("age(datfrozenxid)", "mailroom|"), Map.entry("select clock_timestamp()", "|127.0.0.1|"),
			Map.entry("select pg_is_in_recovery()", "f|"));

	/** Statements that change something, which an administrator runs. */
	private static final Pattern ACT = Pattern
		.compile("^(update|delete|insert|with)|pg_cancel_backend|pg_terminate_backend|create_partition");

	static List<String> statements() throws IOException {
		try (Stream<Path> runbooks = Files.list(Path.of("runbooks"))) {
			return Stream.concat(runbooks.sorted(), Stream.of(OPERATIONS))
				.flatMap((page) -> STATEMENT.matcher(text(page)).results().map((match) -> match.group(1)))
				.toList();
		}
	}

	/** Statements in commands. */
	private static List<String> queries() {
		return QUERY.matcher(text(OPERATIONS)).results().map((match) -> match.group(2)).toList();
	}

	/** Statements of several lines in a page, for an account. */
	private static List<String> scripts(String page, UUID account) {
		return SCRIPT.matcher(text(Path.of("runbooks", page)))
			.results()
			.map((match) -> match.group(1).replace("'ID'", "'" + account + "'"))
			.toList();
	}

	@Test
	void theErasureOfARecipientLeavesOnlyTheSuppressionAndOtherMails() {
		Scope scope = Given.sender("unlimited");
		String address = "erased-" + UUID.randomUUID() + "@x.test";
		UUID mail = Given.mail(scope, address, "other@x.test");
		UUID other = Given.mail(scope, "other@x.test");
		UUID book = contact(scope, address);
		Given.run("update email set to_emails = '{\"Ann <%s>\"}' where id = '%s'", address, mail);
		Given.run("update email_content set outside = '{text}' where email_id = '%s'", mail);
		Given.run(
				"insert into delivery_attempt select id, account_id, email_id, id, 1, now(), 1, 'bounced', 'mx', 'h', '', "
						+ "'', '550 <%1$s>', 'RCPT TO:<%1$s>' from delivery where email_id = '%2$s'",
				address, mail);
		Given.run(
				"insert into webhook_endpoint (id, account_id, url, events, sealed_secret, created_at) "
						+ "values ('%1$s', '%2$s', 'https://x.test/', '{email.bounced}', '\\x00', now())",
				book, scope.account());
		Given.run(
				"insert into event (id, account_id, kind, email_id, data, created_at) values (gen_random_uuid(), '%s', "
						+ "'email.bounced', '%s', '{\"recipient\": \"%s\"}', now())",
				scope.account(), mail, address);
		Given.run("update webhook_delivery set body = '%s' where account_id = '%s'", address, scope.account());
		Given.run("insert into suppression values (gen_random_uuid(), '%s', '%s', 'manual', now())", scope.account(),
				address);
		Given.run("insert into unexplained_refusal values ('%s', '%s', current_date)", scope.account(), address);
		UUID received = Given.inbound(scope.account(), scope.domain());
		Given.run("update inbound_email set from_email = '%s' where id = '%s'", address, received);
		Given.run("%s", scripts("erasure.md", scope.account()).getFirst().replace("ADDRESS", address));
		assertThat(tables("exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id')"))
			.filteredOn((table) -> count(table + " as line where line::text ilike '%" + address + "%'") > 0)
			.containsExactly("suppression");
		assertThat(count("contact_book where contacts = 0 and id = '" + book + "'")).isOne();
		assertThat(count("blob_loose where owner_id = '" + mail + "' and due_at <= now()")).isOne();
		assertThat(count("queue where email_id = '" + mail + "'")).isZero();
		assertThat(count("queue where email_id = '" + other + "'")).isOne();
	}

	private static UUID contact(Scope scope, String address) {
		UUID id = UUID.randomUUID();
		Given
			.run("insert into contact_book (id, account_id, name, contacts, created_at, updated_at) values ('%1$s', '%2$s', "
					+ "'News', 1, now(), now()); insert into contact (id, account_id, contact_book_id, email, email_key, created_at, "
					+ "updated_at) values ('%1$s', '%2$s', '%1$s', '%3$s', '%3$s', now(), now())", id, scope.account(),
					address);
		return id;
	}

	private static List<String> tables(String condition) {
		return Given.rows("select oid::regclass from pg_class where relnamespace = 'public'::regnamespace "
				+ "and relkind in ('r', 'p') and not relispartition and %s", condition);
	}

	private static int count(String from) {
		return Integer.parseInt(Given.rows("select count(*) from %s", from).getFirst());
	}

	@ParameterizedTest
	@MethodSource("statements")
	void theStatementsOfRunbooksFitTheSchema(String statement) {
		assertThatCode(() -> TestDatabase.execute("mailroom", "explain " + filled(statement, UUID.randomUUID())))
			.doesNotThrowAnyException();
	}

	@Test
	void thePeopleWhoReadGetTheAnswersThatRunbooksDescribeAndReadNoPartitionAsAWhole() throws Exception {
		try (Connection held = TestDatabase.connect("mailroom"); Connection app = app(); Connection person = person()) {
			Map<String, String> names = incident(held);
			try {
				for (String statement : statements()) {
					if (!ACT.matcher(statement).find()) {
						String sql = filled(statement, UUID.fromString(names.get("ACCOUNT")));
						assertThat(rows(person, sql)).as(sql)
							.anySatisfy((row) -> assertThat(row).contains(answer(statement, names)));
						assertThat(fullScans(person, sql)).as(sql).isEmpty();
					}
				}
				assertThat(queries()).hasSizeGreaterThan(5).allSatisfy((sql) -> {
					assertThat(rows(person, sql)).isNotEmpty();
					assertThat(fullScans(person, sql)).isEmpty();
				});
			}
			finally {
				Given.run(
						"delete from queue_pause; delete from directory_cell; delete from dane_seen; delete from address_check; delete from site_memory; delete from sending_pool; delete from sending_source; select pg_drop_replication_slot('runbook_slot')");
			}
			assertThat(app.isValid(1)).isTrue();
		}
	}

	@Test
	void everyPageWithAStatementSaysAsWhomToRunIt() throws IOException {
		try (Stream<Path> pages = Files.list(Path.of("runbooks"))) {
			assertThat(pages.filter((page) -> STATEMENT.matcher(text(page)).find())).isNotEmpty()
				.allSatisfy((page) -> assertThat(text(page)).contains("operations.md#reading-the-database"));
		}
	}

	private static String answer(String statement, Map<String, String> names) {
		List<String> answers = ANSWERS.entrySet()
			.stream()
			.filter((answer) -> statement.contains(answer.getKey()))
			.map(Map.Entry::getValue)
			.toList();
		assertThat(answers).as(statement).hasSize(1);
		String answer = answers.getFirst();
		for (Map.Entry<String, String> name : names.entrySet()) {
			answer = answer.replace(name.getKey(), name.getValue());
		}
		return answer;
	}

	/**
	 * Data of an incident of an account.
	 * @param held connection with an open transaction that holds a lock
	 * @return names in {@link #ANSWERS} and what they stand for
	 */
	private static Map<String, String> incident(Connection held) throws SQLException {
		Scope scope = Given.sender("unlimited");
		UUID account = scope.account();
		UUID endpoint = UUID.randomUUID();
		Given.inData(Given.mail(scope, "a@blocked.test"));
		UUID retried = Given.mail(scope, "b@blocked.test", "c@blocked.test");
		Given.run("update queue set attempt = 2, ambiguous = 1 where email_id = '%s'", retried);
		Given
			.run("insert into address_check values ('192.0.2.1', 'list', 'SpamCop', 'failed', 'Listed.', false, now(), "
					+ "now())");
		Given.run(
				"insert into site_memory values ('yahoo', '', 'yahoo', 1, now(), 0, now(), 3, '421 4.7.0 [TSS04]', now())");
		Given.run("insert into dane_seen values ('dane.test', now() + interval '1 day', 'refused')");
		Given.run("insert into sending_source values ('out', '192.0.2.1', null, null, null, 'out.test', 'paused', "
				+ "'%1$s', now()); insert into sending_pool values ('main', 'wait', null, '%1$s', now()); "
				+ "insert into sending_pool_member values ('main', 'out', 1); "
				+ "insert into source_seen values ('%1$s', 'out', false, false, now()); "
				+ "insert into source_warmup values ('out', '{50}', '{200}', '%1$s', now()); "
				+ "insert into source_warmup_day (source, provider, day, step, allowance) "
				+ "values ('out', 'gmail', '2026-11-20', 1, 50)", account);
		Given.run("insert into tracking_domain (id, account_id, name, state, created_at, order_failures) "
				+ "values (gen_random_uuid(), '%1$s', 'links.shop.test', 'failing', now(), 3); "
				+ "insert into acme_order values (gen_random_uuid(), '%1$s', 'links.shop.test', 'failed', 'x', now())",
				account);
		Given.run("update delivery set reply = '550 5.7.1 blocked' where email_id = '%s'", retried);
		Given.run("insert into account_deletion (account_id, delete_at) values ('%s', now() - interval '2 days')",
				account);
		Given.run("insert into reputation_day (account_id, domain_id, day, delivered, hard_bounced, complained) values "
				+ "('%s', '%s', current_date, 1000, 900, 800)", account, scope.domain());
		Given.run(
				"insert into dkim_key values (gen_random_uuid(), '%s', '%s', 'old-key', 'rsa-sha256', 'p', '\\x00', true, "
						+ "now() - interval '9 years')",
				account, scope.domain());
		Given
			.run("insert into webhook_endpoint (id, account_id, url, events, sealed_secret, disabled_reason, disabled_at, "
					+ "created_at) values ('%s', '%s', 'https://x.test/', '{email.bounced}', '\\x00', 'failed for five days', "
					+ "now() + interval '1 day', now())", endpoint, account);
		Given.run(
				"insert into webhook_state (endpoint_id, account_id, lease_until) values ('%s', '%s', now() + interval "
						+ "'1 day')",
				endpoint, account);
		Given.run("insert into event (id, account_id, kind, data, created_at) select first_id(now() - n * interval '1 "
				+ "second'), '%s', 'email.bounced', '{\"bounce\": {\"diagnostic\": \"550 5.7.1 blocked\"}}', now() from "
				+ "generate_series(1, 3) as n", account);
		Given.run("update webhook_delivery set due_at = now() - interval '1 year' where account_id = '%s'", account);
		Given.run("insert into webhook_attempt select first_id(now() - row_number() over () * interval '1 second'), "
				+ "account_id, id, null, null, 'refused', 100, now() from webhook_delivery where account_id = '%s'",
				account);
		Given.run("insert into directory_cell (name, url) values ('zz9', 'https://zz9.test')");
		Given.run("insert into queue_pause values (true, 'incident', '%s', now())", account);
		Given.run("select pg_create_physical_replication_slot('runbook_slot')");
		held.setAutoCommit(false);
		String pid = rows(held, "select pg_backend_pid(), pg_advisory_xact_lock(77)").getFirst();
		return Map.of("ACCOUNT", account.toString(), "ENDPOINT", endpoint.toString(), "PID",
				pid.substring(0, pid.indexOf('|')));
	}

	/**
	 * A statement with an account in place of its ID, and for transactions of any age.
	 */
	private static String filled(String statement, UUID account) {
		return statement.replaceAll("\\bPID\\b", "1")
			.replace("'ID'", "'" + account + "'")
			.replace("'MAILROOM_PLATFORM_DOMAIN'", "(select name from domain where account_id = '" + account + "')")
			.replace("interval '5 minutes'", "interval '0 minutes'")
			.replaceAll("'[A-Z ]{4,}'", "'2030-01-01T00:00:00Z'");
	}

	/** A session of a person as docs/operations.md creates the role. */
	private static Connection person() throws SQLException {
		String create = Pattern.compile("create role ann[^;]*;")
			.matcher(text(OPERATIONS))
			.results()
			.findFirst()
			.orElseThrow()
			.group();
		if (Given.rows("select 1 from pg_roles where rolname = 'ann'").isEmpty()) {
			Given.run("%s alter role ann password 'test'", create);
		}
		return DriverManager.getConnection("jdbc:" + TestDatabase.URL, "ann", "test");
	}

	private static Connection app() throws SQLException {
		return DriverManager.getConnection("jdbc:" + TestDatabase.URL, TestDatabase.APP, TestDatabase.PASSWORD);
	}

	private static List<String> rows(Connection connection, String sql) throws SQLException {
		List<String> rows = new ArrayList<>();
		try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			while (result.next()) {
				StringBuilder row = new StringBuilder();
				for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
					row.append(result.getString(column)).append('|');
				}
				rows.add(row.toString());
			}
		}
		return rows;
	}

	/**
	 * Scans of large tables without a condition on an index, where there is any other
	 * way.
	 */
	private static List<String> fullScans(Connection connection, String sql) throws SQLException {
		rows(connection, "select set_config('enable_seqscan', 'off', false)");
		String plan = String.join("", rows(connection, "explain (format json) " + sql));
		rows(connection, "select set_config('enable_seqscan', 'on', false)");
		Set<String> large = new HashSet<>(
				Given.rows("select relname from pg_class where relispartition and relkind = 'r'"));
		large.addAll(LARGE);
		assertThat(large).contains("email_other", "webhook_attempt_other");
		List<String> scans = new ArrayList<>();
		collect(JsonMapper.shared().readTree(plan.substring(0, plan.lastIndexOf(']') + 1)).get(0).get("Plan"), false,
				large, scans);
		return scans;
	}

	/**
	 * Adds the scans of a plan; one that begins at the end of an index and stops early is
	 * none.
	 */
	private static void collect(JsonNode node, boolean stopped, Set<String> large, List<String> scans) {
		String type = node.get("Node Type").asString();
		String table = node.path("Relation Name").asString("");
		boolean ordered = stopped && type.startsWith("Index ");
		if (large.contains(table) && !ordered && !node.has("Index Cond") && !node.has("Recheck Cond")) {
			scans.add(type + " of " + table);
		}
		boolean stops = type.equals("Limit") || (stopped && type.endsWith("Append"));
		node.path("Plans").forEach((child) -> collect(child, stops, large, scans));
	}

	private static String text(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
