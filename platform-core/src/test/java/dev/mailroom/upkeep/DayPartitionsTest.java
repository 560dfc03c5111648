package dev.mailroom.upkeep;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.errorprone.annotations.FormatMethod;
import dev.mailroom.Await;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Migrate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Partitions by day of a database of its own, from the change of an installation that has
 * partitions by month to the change back: the tests follow each other.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DayPartitionsTest {

	private static final String DATABASE = "days";

	private static final AtomicInteger NUMBER = new AtomicInteger();

	private static ConfigurableApplicationContext context;

	private static Partitions partitions;

	/** The day of the first test. */
	private static LocalDate today;

	/** The first month with partitions by day. */
	private static LocalDate month;

	private final UUID account = UUID.randomUUID();

	@BeforeAll
	static void start() {
		String url = TestDatabase.URL.replace("/mailroom", "/" + DATABASE);
		TestDatabase.execute("postgres", "create database " + DATABASE + " owner " + TestDatabase.OWNER);
		Migrate.run(url, new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), TestDatabase.APP);
		context = new SpringApplicationBuilder(WithCore.Features.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off")
			.run("--spring.r2dbc.url=r2dbc:" + url, "--spring.r2dbc.username=" + TestDatabase.APP,
					"--spring.r2dbc.password=" + TestDatabase.PASSWORD, "--mailroom.retention.metadata=7d",
					"--mailroom.retention.partition=day",
					"--mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=");
		partitions = context.getBean(Partitions.class);
		today = LocalDate.now(ZoneOffset.UTC);
		month = today.plusDays(2).withDayOfMonth(1).plusMonths(1);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	@Order(1)
	void aLaterMonthThatHasMailsKeepsItsPartition() {
		UUID early = mail(month.plusDays(3), "delivered");
		partitions.maintain();
		assertThat(names("email")).contains("email_" + suffix(month)).noneMatch((name) -> name.length() > 13);
		run("delete from email where id = '%s'", early);
	}

	@Test
	@Order(2)
	void theDaysOfTheNextMonthGetPartitionsWhileTheCountsStayExact() {
		UUID far = mail(month.plusMonths(5).plusDays(3), "bounced");
		call(month.plusMonths(5).plusDays(3));
		mail(today, "delivered");
		Await.until("partitions by day", () -> {
			partitions.maintain();
			return names("email").contains("email_" + suffix(month) + "_01");
		});
		partitions.maintain();
		List<String> days = month.datesUntil(today.plusDays(32))
			.map((day) -> "email_" + day.toString().replace('-', '_'))
			.toList();
		assertThat(names("email")).containsAll(days).noneMatch((name) -> name.equals("email_" + suffix(month)));
		assertThat(names("webhook_attempt")).doesNotContain("webhook_attempt_" + suffix(month.plusMonths(1)));
		assertThat(partitions.state()).isEqualTo(new Partitions.State(1, 3));
		mail(month, "delivered");
		mail(month.plusDays(1), "bounced");
		call(month);
		assertThat(rows(
				"select month from email_count where account_id = '%s' group by month having sum(count) > 0 order by month",
				this.account))
			.containsExactly(today.withDayOfMonth(1).toString(), month.toString(), month.plusDays(1).toString(),
					month.plusMonths(5).plusDays(3).toString());
		assertTotalsAreExact();
		run("update email set status = 'complained' where id = '%s'; delete from email where id < '%s'", far,
				id(today.plusDays(1)));
		assertTotalsAreExact();
	}

	@Test
	@Order(3)
	void anExpiredDayIsDroppedWithItsCountsAndLaterEventsAndNothingElse() {
		// As if days had partitions for weeks.
		run("create or replace function days_from() returns uuid language sql stable parallel safe as "
				+ "'select first_of(date_trunc(''month'', current_date - 40)::date)'");
		rows("select part from partition_specs(), partitions_of(name) where first = '-infinity'")
			.forEach((part) -> run("drop table %s", part));
		run("select create_partition(name, day::date, day::date + 1) from partition_specs(), "
				+ "generate_series(current_date - 10, current_date + 1, interval '1 day') as day");
		LocalDate expired = today.minusDays(8);
		LocalDate kept = today.minusDays(7);
		UUID gone = mail(expired, "bounced");
		call(expired);
		run("insert into event (id, account_id, kind, email_id, created_at) values ('%s', '%s', 'email.opened', '%s', now())",
				id(kept), this.account, gone);
		UUID left = mail(kept, "delivered");
		call(kept);
		Await.until("the day to be dropped", () -> {
			partitions.maintain();
			return names("email").stream().noneMatch((name) -> name.endsWith(expired.toString().replace('-', '_')))
					&& names("webhook_delivery").stream()
						.noneMatch((name) -> name.endsWith(expired.toString().replace('-', '_')));
		});
		assertThat(rows("select id from email where account_id = '%s'", this.account)).containsExactly(left.toString());
		assertThat(rows("select kind from event where account_id = '%s'", this.account)).isEmpty();
		assertThat(rows("select count from webhook_delivery_count where account_id = '%s'", this.account))
			.containsExactly("1");
		assertThat(names("event")).contains("event_" + kept.toString().replace('-', '_'));
		assertTotalsAreExact();
	}

	@Test
	@Order(4)
	void theSlotsOfDaysThatHaveEndedAreMerged() {
		run("insert into email_count (account_id, domain_id, status, month, slot, count) values "
				+ "('%1$s', '%1$s', 'sent', '%2$s', 5, 3), ('%1$s', '%1$s', 'sent', '%2$s', 7, -1)", this.account,
				today.minusDays(2));
		partitions.maintain();
		assertThat(rows("select slot || ' ' || count from email_count where account_id = '%s'", this.account))
			.containsExactly("0 2");
	}

	@Test
	@Order(5)
	void aMonthThatHasPartitionsByDayIsCompletedAfterTheChangeBack() {
		Partitions byMonth = new Partitions(context.getBean(PartitionStore.class),
				context.getBean(JdbcTransactions.class), new RetentionSettings(Duration.ZERO, Duration.ZERO,
						Duration.ZERO, Duration.ZERO, RetentionSettings.Unit.MONTH),
				Clock.systemUTC());
		LocalDate last = today.plusDays(31);
		Await.until("partitions of the next months", () -> {
			byMonth.maintain();
			return byMonth.state().monthsAhead() == 3;
		});
		LocalDate next = last.withDayOfMonth(1).plusMonths(1);
		assertThat(names("delivery")).contains("delivery_" + next.minusDays(1).toString().replace('-', '_'),
				"delivery_" + suffix(next));
		mail(next.minusDays(1), "delivered");
		mail(next, "delivered");
		assertTotalsAreExact();
	}

	@Test
	@Order(6)
	void aLookUpByIdReadsOnePartitionAmongThoseOfThreeMonths() {
		run("select create_partition('email', day::date, day::date + 1) from "
				+ "generate_series(current_date - 19, current_date - 11, interval '1 day') as day");
		assertThat(names("email")).hasSizeGreaterThan(45);
		assertThat(rows("explain select * from email where id = '%s'", id(today)))
			.anyMatch((line) -> line.contains("email_" + today.toString().replace('-', '_')))
			.noneMatch((line) -> line.contains("Append"));
	}

	private void assertTotalsAreExact() {
		assertThat(rows("select status || ' ' || sum(count) from email_count where account_id = '%s' "
				+ "group by status having sum(count) <> 0 order by 1", this.account))
			.isEqualTo(rows(
					"select status || ' ' || count(*) from email where account_id = '%s' group by status order by 1",
					this.account));
		// What is counted in a time equals its rows, so that both can be dropped.
		assertThat(rows("select month || ' ' || sum(count) from email_count where account_id = '%s' "
				+ "group by month having sum(count) <> 0 order by 1", this.account))
			.isEqualTo(rows(
					"select period_of(id) || ' ' || count(*) from email where account_id = '%s' group by period_of(id) order by 1",
					this.account));
		assertThat(rows("select period || ' ' || sum(count) from webhook_delivery_count where account_id = '%s' "
				+ "group by period having sum(count) <> 0 order by 1", this.account))
			.isEqualTo(
					rows("select period_of(event_id) || ' ' || count(*) from webhook_delivery where account_id = '%s' "
							+ "group by period_of(event_id) order by 1", this.account));
	}

	private UUID mail(LocalDate day, String status) {
		UUID id = id(day);
		run("insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, status, last_event, "
				+ "created_at) values ('%1$s', '%2$s', '%2$s', 'a@b.test', 'a@b.test', '{b@c.test}', 'Hello', '%3$s', "
				+ "'%3$s', now())", id, this.account, status);
		return id;
	}

	private void call(LocalDate day) {
		run("insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at, status) "
				+ "values ('%1$s', '%2$s', '%2$s', '%1$s', 'email.sent', now(), now(), 'delivered')", id(day),
				this.account);
	}

	private static UUID id(LocalDate day) {
		long millis = day.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
		return new UUID(millis << 16 | 0x7000, Long.MIN_VALUE + NUMBER.incrementAndGet());
	}

	private static String suffix(LocalDate day) {
		return day.toString().substring(0, 7).replace('-', '_');
	}

	private static List<String> names(String table) {
		return rows("select part from partitions_of('%s')", table);
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
