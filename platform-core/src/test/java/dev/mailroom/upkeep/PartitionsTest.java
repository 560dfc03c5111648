package dev.mailroom.upkeep;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.errorprone.annotations.FormatMethod;
import dev.mailroom.Await;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.Migrate;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Emails;
import dev.mailroom.webhook.CallResult;
import dev.mailroom.webhook.LeasedEndpoint;
import dev.mailroom.webhook.WebhookCalls;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Partitions of a database of its own, because dropping a month concerns all accounts.
 */
class PartitionsTest {

	private static final String DATABASE = "partitions";

	private static final String URL = TestDatabase.URL.replace("/mailroom", "/" + DATABASE);

	private static LocalDate presentMonth;

	/** A month older than the retention period of mails. */
	private static LocalDate expiredMonth;

	/** A month older than the retention period of content. */
	private static LocalDate pastMonth;

	private static final AtomicInteger NUMBER = new AtomicInteger();

	private static ConfigurableApplicationContext context;

	private static Partitions partitions;

	private final UUID account = UUID.randomUUID();

	private final UUID domain = UUID.randomUUID();

	@BeforeAll
	static void start() {
		TestDatabase.execute("postgres", "create database " + DATABASE + " owner " + TestDatabase.OWNER);
		presentMonth = LocalDate.now(ZoneOffset.UTC).withDayOfMonth(1);
		expiredMonth = presentMonth.minusMonths(5);
		pastMonth = presentMonth.minusMonths(2);
		Migrate.run(URL, new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), TestDatabase.APP);
		// The first partitions, which reach back to the beginning of time.
		rows("select part from partition_specs(), partitions_of(name) where first = '-infinity'")
			.forEach((part) -> run("drop table %s", part));
		List.of(expiredMonth, pastMonth, presentMonth).forEach(PartitionsTest::create);
		context = new SpringApplicationBuilder(WithCore.Features.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off")
			.run("--spring.r2dbc.url=r2dbc:" + URL, "--spring.r2dbc.username=" + TestDatabase.APP,
					"--spring.r2dbc.password=" + TestDatabase.PASSWORD, "--mailroom.retention.body=10d",
					"--mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=");
		partitions = context.getBean(Partitions.class);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void partitionsOfTheNextMonthsExistAndAreCreatedAgain() {
		run("drop table %s, %s", name("email", presentMonth.plusMonths(3)), name("event", presentMonth.plusMonths(2)));
		assertThat(state().monthsAhead()).isEqualTo(1);
		maintain();
		assertThat(state().monthsAhead()).isEqualTo(3);
	}

	@Test
	void aRowOfAMonthWithoutPartitionIsStoredAndMovesIntoItsPartitionLater() {
		LocalDate month = presentMonth.plusMonths(9);
		UUID later = mail(month, "delivered");
		UUID random = mail(UUID.fromString("f0000000-0000-4000-8000-" + "%012d".formatted(NUMBER.incrementAndGet())),
				"bounced");
		assertThat(listed()).containsExactlyInAnyOrder(later, random);
		assertThat(state().strayTables()).isPositive();
		create(month);
		assertThat(rows("select tableoid::regclass from email where id = '%s'", later))
			.containsExactly(name("email", month));
		assertThat(listed()).containsExactlyInAnyOrder(later, random);
		assertTotalsAreExact();
		run("delete from email where account_id = '%s'", this.account);
		assertTotalsAreExact();
	}

	@Test
	void anExpiredMonthIsDroppedWithItsCountsAndNothingElse() {
		create(expiredMonth);
		List.of("email_content", "attachment").forEach((table) -> create(table, pastMonth));
		UUID expired = mail(expiredMonth, "delivered");
		mail(expiredMonth, "bounced");
		UUID past = mail(pastMonth, "bounced");
		UUID present = mail(presentMonth, "delivered");
		run("insert into event (id, account_id, kind, email_id, created_at) values (uuidv7(), '%s', 'email.opened', '%s', now())",
				this.account, expired);
		run("insert into email_anchor values ('%s', '%s', 1, now(), '%s')", this.account, new UUID(0, 0), expired);
		UUID campaign = UUID.randomUUID();
		run("update email set campaign_id = '%s', open_count = 2, click_count = 1 where id = '%s'", campaign, expired);
		List<String> results = campaignResults(campaign);
		assertThat(results).containsExactly("1 1 1 1");
		UUID waiting = UUID.randomUUID();
		run("insert into queue (id, account_id, email_id, recipient, destination, ready, due_at) values "
				+ "('%s', '%s', '%s', 'b@c.test', 'c.test', false, now() + interval '1 day')", id(expiredMonth),
				this.account, waiting);
		maintain();
		assertThat(listed()).hasSize(4);
		run("delete from queue where email_id = '%s'", waiting);
		run("insert into account_move (account_id, cell, phase) values ('%s', 'us1', 'following')", this.account);
		maintain();
		assertThat(listed()).as("an account leaves").hasSize(4);
		run("delete from account_move where account_id = '%s'", this.account);
		drop(expiredMonth);
		assertThat(listed()).containsExactlyInAnyOrder(past, present);
		assertTotalsAreExact();
		assertThat(rows("select relname from pg_class where relispartition and relkind = 'r' and relname like '%%%s'",
				suffix(expiredMonth)))
			.isEmpty();
		assertThat(rows("select email_id from email_content where account_id = '%s'", this.account))
			.containsExactly(present.toString());
		assertThat(rows("select email_id from delivery where account_id = '%s' order by email_id", this.account))
			.containsExactly(past.toString(), present.toString());
		assertThat(rows("select id from event where email_id = '%s'", expired)).isEmpty();
		assertThat(rows("select id from email_anchor where account_id = '%s'", this.account)).isEmpty();
		assertThat(campaignResults(campaign)).as("results of campaigns outlast their mails").isEqualTo(results);
	}

	@Test
	void theResultsOfACampaignOutlastMailsThatAreRemovedOneByOne() {
		UUID campaign = UUID.randomUUID();
		UUID mail = mail(presentMonth, "sent");
		run("update email set campaign_id = '%s' where id = '%s'", campaign, mail);
		run("update email set status = 'delivered', open_count = 2, click_count = 1 where id = '%s'", mail);
		List<String> results = campaignResults(campaign);
		assertThat(results).containsExactly("1 1 1 1");
		run("delete from email where id = '%s'", mail);
		assertThat(campaignResults(campaign)).isEqualTo(results);
	}

	/** Mails that were sent, delivered, opened and clicked, in total and over time. */
	private static List<String> campaignResults(UUID campaign) {
		String counted = "select concat_ws(' ', sum(sent), sum(delivered), sum(opened), sum(clicked)) from %s "
				+ "where campaign_id = '%s'";
		List<String> results = rows("%s", counted.formatted("campaign_count", campaign));
		assertThat(rows("%s", counted.formatted("campaign_minute", campaign))).isEqualTo(results);
		return results;
	}

	@Test
	void theWebhookCallsOfAnExpiredMonthAreDroppedOnceNoneWaitsAndTheirTotalStaysExact() {
		create(expiredMonth);
		UUID endpoint = UUID.randomUUID();
		UUID expired = call(endpoint, expiredMonth, "delivered");
		UUID waiting = call(endpoint, expiredMonth, "pending");
		UUID present = call(endpoint, presentMonth, "delivered");
		maintain();
		assertThat(calls(endpoint)).containsExactly(expired.toString(), waiting.toString(), present.toString());
		run("update webhook_delivery set status = 'failed' where id = '%s'", waiting);
		Await.until("the partitions to be dropped", () -> {
			maintain();
			return rows("select to_regclass('%s')", name("webhook_attempt", expiredMonth)).equals(List.of("null"));
		});
		assertThat(calls(endpoint)).containsExactly(present.toString());
		assertThat(rows("select delivery_id from webhook_attempt where account_id = '%s'", this.account))
			.containsExactly(present.toString());
		assertThat(rows("select sum(count) from webhook_delivery_count where endpoint_id = '%s'", endpoint))
			.containsExactly("1");
		run("delete from webhook_delivery where endpoint_id = '%s'", endpoint);
		assertThat(rows("select sum(count) from webhook_delivery_count where endpoint_id = '%s'", endpoint))
			.containsExactly("0");
	}

	private UUID call(UUID endpoint, LocalDate month, String status) {
		UUID id = id(month);
		run("insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at, status) "
				+ "values ('%1$s', '%2$s', '%3$s', '%1$s', 'email.sent', now(), now(), '%4$s'); "
				+ "insert into webhook_attempt (id, account_id, delivery_id, took_ms, attempted_at) "
				+ "values ('%1$s', '%2$s', '%1$s', 1, now())", id, this.account, endpoint, status);
		return id;
	}

	private static List<String> calls(UUID endpoint) {
		return rows("select id from webhook_delivery where endpoint_id = '%s' order by id", endpoint);
	}

	@Test
	void webhookCallsAreMadeWithoutASearchInThePartitionsOfOldEvents() {
		create(expiredMonth);
		UUID endpoint = UUID.randomUUID();
		run("insert into account (id, email, email_key, email_verified_at, plan, created_at) values "
				+ "('%1$s', '%1$s@a.test', '%1$s@a.test', now(), 'free', now())", this.account);
		run("insert into webhook_endpoint (id, account_id, url, events, sealed_secret, created_at) values "
				+ "('%1$s', '%2$s', 'https://a.test', '{email.sent}', '', now()); "
				+ "insert into webhook_state (endpoint_id, account_id) values ('%1$s', '%2$s')", endpoint,
				this.account);
		UUID call = call(endpoint, LocalDate.now(ZoneOffset.UTC), "pending");
		CallResult failed = new CallResult(call, call, null, null, "expected", Duration.ofDays(1), Duration.ZERO,
				Instant.now());
		WebhookCalls calls = context.getBean(WebhookCalls.class);
		// Statistics follow about a second later, and some turns search all partitions.
		Await.until("a turn that has searched the present partition only", () -> {
			long old = scans(expiredMonth);
			long present = scans(presentMonth);
			while (scans(presentMonth) == present) {
				calls.lease(WebhookCalls.Turn.START, 1, 1);
				calls.settle(new LeasedEndpoint(endpoint, this.account,
						Integer.parseInt(
								rows("select epoch from webhook_state where endpoint_id = '%s'", endpoint).getFirst()),
						"", false, List.of(), List.of(), false), List.of(failed));
				run("update webhook_state set next_due_at = null where endpoint_id = '%s'; "
						+ "update webhook_delivery set due_at = now() where event_id = '%s'", endpoint, call);
			}
			return scans(expiredMonth) == old;
		});
		assertThat(rows("select attempt > 0 from webhook_delivery where id = '%s'", call)).containsExactly("t");
		run("delete from webhook_endpoint where id = '%1$s'; delete from webhook_state where endpoint_id = '%1$s'",
				endpoint);
	}

	/** Searches in the partitions of webhook calls and attempts of a month. */
	private static long scans(LocalDate month) {
		return Long.parseLong(rows(
				"select sum(coalesce(idx_scan, 0) + seq_scan) from pg_stat_user_tables "
						+ "where relname in ('%s', '%s')",
				name("webhook_delivery", month), name("webhook_attempt", month))
			.getFirst());
	}

	@Test
	void theCountsOfAMonthThatHasEndedAreMerged() {
		run("insert into email_count (account_id, domain_id, status, month, slot, count) values "
				+ "('%1$s', '%2$s', 'sent', '%3$s', 5, 3), ('%1$s', '%2$s', 'sent', '%3$s', 7, -1), "
				+ "('%1$s', '%2$s', 'sent', '%4$s', 7, 1)", this.account, this.domain, pastMonth, presentMonth);
		maintain();
		assertThat(rows("select slot || ' ' || count from email_count where account_id = '%s' order by month",
				this.account))
			.containsExactly("0 2", "7 1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "drop table email_other", "truncate email", "create table mine (id int)",
			"alter table email add column mine int", "select * from email_other",
			"select create_partition('email', date '2026-01-01')",
			"set role mailroom_system; select create_partition('account', date_trunc('month', now())::date)",
			"set role mailroom_system; select create_partition('email', date '1999-01-01')",
			"set role mailroom_system; select drop_partitions(date_trunc('month', now())::date, false)",
			"select remove_month_counts(date '2000-01-01', date '2100-01-01')",
			"select partition_by_day(date '2000-01-01')", "select recount_from('00000000-0000-0000-0000-000000000000')",
			"set role mailroom_system; select partition_by_day(date_trunc('month', now())::date)",
			"set role mailroom_system; select create_partition('email', current_date, current_date + 2)",
			"set role mailroom_system; select create_partition('email', current_date, current_date + 1)",
			"set role mailroom_system; select drop_partitions(current_date + 2, 'call')",
			"select remove_call_counts(date '2000-01-01', date '2100-01-01')" })
	void theRoleOfTheAppsCannotChangeTables(String sql) throws SQLException {
		try (Connection connection = app(); Statement statement = connection.createStatement()) {
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.execute(sql));
		}
	}

	@Test
	void mailIsAcceptedWhilePartitionsAreCreatedAndDropped() {
		AtomicBoolean ended = new AtomicBoolean();
		List<CompletableFuture<Integer>> writers = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			writers.add(CompletableFuture.supplyAsync(() -> write(ended)));
		}
		for (int ahead = 4; ahead < 8; ahead++) {
			LocalDate month = presentMonth.plusMonths(ahead);
			create(month);
		}
		LocalDate old = presentMonth.minusMonths(6);
		create(old);
		drop(old);
		ended.set(true);
		int written = writers.stream().mapToInt(CompletableFuture::join).sum();
		assertThat(rows("select count(*) from email where account_id = '%s'", this.account))
			.containsExactly(Integer.toString(written));
		assertTotalsAreExact();
	}

	/** Inserts mails in the same way as a group commit, until the end. */
	private int write(AtomicBoolean ended) {
		int written = 0;
		try (Connection connection = app(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			while (!ended.get() || written == 0) {
				statement.execute(
						"set local lock_timeout = '1s'; set local app.account_ids = '{%s}'".formatted(this.account));
				statement.execute(insert(id(presentMonth), "delivered"));
				connection.commit();
				written++;
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		return written;
	}

	private List<UUID> listed() {
		Page<Email> page = context.getBean(Emails.class)
			.list(Scope.of(this.account), new Email.Filter(null, null), new Page.Request(1, 50))
			.block(Duration.ofSeconds(30));
		assertThat(page.total()).isEqualTo(page.items().size());
		return page.items().stream().map(Email::id).toList();
	}

	private void assertTotalsAreExact() {
		String counts = "select status || ' ' || sum(count) from email_count where account_id = '%1$s' "
				+ "group by status having sum(count) <> 0 order by status";
		assertThat(rows(counts, this.account)).isEqualTo(rows(
				"select status || ' ' || count(*) from email where account_id = '%s' group by status order by status",
				this.account));
		assertThat(rows("select id from email_trouble where account_id = '%s' order by id", this.account)).isEqualTo(
				rows("select id from email where account_id = '%s' and status = 'bounced' order by id", this.account));
	}

	private UUID mail(LocalDate month, String status) {
		return mail(id(month), status);
	}

	private UUID mail(UUID id, String status) {
		TestDatabase.execute(DATABASE, insert(id, status));
		return id;
	}

	/** Inserts a finished mail with its content, a delivery, an attempt and an event. */
	private String insert(UUID id, String status) {
		return """
				insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, status, last_event,
				                   created_at)
				values ('%1$s', '%2$s', '%3$s', 'a@b.test', 'a@b.test', '{b@c.test}', 'Hello', '%4$s', '%4$s', now());
				insert into email_content (email_id, account_id, text) values ('%1$s', '%2$s', 'Hi');
				insert into delivery (id, account_id, email_id, position, recipient, status, created_at, settled_at)
				values ('%1$s', '%2$s', '%1$s', 0, 'b@c.test', '%4$s', now(), now());
				insert into event (id, account_id, kind, email_id, created_at)
				values ('%1$s', '%2$s', 'email.sent', '%1$s', now());
				"""
			.formatted(id, this.account, this.domain, status);
	}

	private static UUID id(LocalDate month) {
		long millis = month.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
		return new UUID(millis << 16 | 0x7000, Long.MIN_VALUE + NUMBER.incrementAndGet());
	}

	private static void create(LocalDate month) {
		rows("select name from partition_specs()").forEach((table) -> create(table, month));
	}

	private static void create(String table, LocalDate month) {
		run("select create_partition('%s', '%s')", table, month);
	}

	private static String name(String table, LocalDate month) {
		return table + suffix(month);
	}

	private static String suffix(LocalDate month) {
		return month.format(DateTimeFormatter.ofPattern("_yyyy_MM"));
	}

	private static void maintain() {
		partitions.maintain();
	}

	/**
	 * Maintains the partitions until a month is dropped: a lock may be held meanwhile.
	 */
	private static void drop(LocalDate month) {
		Await.until("the partitions of " + month + " to be dropped", () -> {
			maintain();
			return rows("select to_regclass('%s')", name("email", month)).equals(List.of("null"))
					&& rows("select to_regclass('%s')", name("webhook_attempt", month)).equals(List.of("null"))
					&& rows("select to_regclass('%s')", name("email_content", pastMonth)).equals(List.of("null"));
		});
	}

	private static Partitions.State state() {
		return partitions.state();
	}

	private static Connection app() throws SQLException {
		return DriverManager.getConnection("jdbc:" + URL, TestDatabase.APP, TestDatabase.PASSWORD);
	}

	@FormatMethod
	private static void run(String sql, Object... arguments) {
		TestDatabase.execute(DATABASE, sql.formatted(arguments));
	}

	@FormatMethod
	private static List<String> rows(String sql, Object... arguments) {
		List<String> values = new ArrayList<>();
		try (Connection connection = TestDatabase.connect(DATABASE);
				ResultSet rows = connection.createStatement().executeQuery(sql.formatted(arguments))) {
			while (rows.next()) {
				values.add(String.valueOf(rows.getString(1)));
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(sql, ex);
		}
		return values;
	}

}
