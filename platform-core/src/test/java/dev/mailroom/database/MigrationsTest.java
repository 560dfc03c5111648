package dev.mailroom.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import dev.mailroom.WrongSetting;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MigrationsTest {

	private static final Pattern NAME = Pattern.compile("V([1-9][0-9]*)__[a-z]+(_[a-z]+)*\\.sql");

	@Test
	void aUrlWithALoginIsRefusedWithoutShowingIt() {
		for (String url : List.of("postgresql://mailroom:secret@db/mailroom",
				"postgresql://mailroom:secret@db:1/m?sslmode=require")) {
			assertThatExceptionOfType(WrongSetting.class)
				.isThrownBy(() -> Migrate.run(url, new Migrate.Owner("owner", "x"), "mailroom"))
				.withMessageContaining("MAILROOM_DB_USER")
				.withMessageNotContaining("secret");
		}
	}

	@Test
	void filesAreNumberedConsecutivelyAndNamedForTheirFeature() throws IOException {
		List<String> names = Arrays
			.stream(new PathMatchingResourcePatternResolver().getResources("classpath*:db/migration/*"))
			.map(Resource::getFilename)
			.toList();
		assertThat(names).allMatch(NAME.asMatchPredicate(), "V<number>__<feature>.sql");
		List<Integer> numbers = names.stream()
			.map((name) -> Integer.valueOf(name.substring(1, name.indexOf('_'))))
			.sorted()
			.toList();
		assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, names.size()).boxed().toList());
	}

	@Test
	void everyTableAndViewHasAComment() {
		assertThat(Given.rows("""
				select relname from pg_class
				 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
				   and relname <> 'flyway_schema_history' and obj_description(oid, 'pg_class') is null
				""")).isEmpty();
	}

	@Test
	void aDatabaseWithOtherMigrationsIsRefusedWithTheRemedy() {
		TestDatabase.execute("postgres", "create database unreleased owner " + TestDatabase.OWNER);
		migrate("unreleased");
		TestDatabase.execute("unreleased", "update flyway_schema_history set checksum = 0 where version = '1'");
		assertThatExceptionOfType(FlywayException.class).isThrownBy(() -> migrate("unreleased"))
			.withMessageContaining("/unreleased")
			.withMessageContaining("other migrations than those of this version")
			.withMessageContaining("delete its data directory")
			.withStackTraceContaining("checksum mismatch");
	}

	@Test
	void aMigrationThatWaitsForALockFailsInsteadOfHoldingUpTheApps() throws SQLException {
		TestDatabase.execute("postgres", "create database locked owner " + TestDatabase.OWNER);
		migrate("locked");
		try (Connection dump = TestDatabase.connect("locked")) {
			dump.setAutoCommit(false);
			dump.createStatement().execute("lock table flyway_schema_history");
			assertThatExceptionOfType(FlywayException.class)
				.isThrownBy(() -> Migrate.run(TestDatabase.URL.replace("/mailroom", "/locked"),
						new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), TestDatabase.APP,
						Duration.ofMillis(100)))
				.withStackTraceContaining("lock timeout");
		}
		migrate("locked");
	}

	@Test
	void aNewDatabaseHasPartitionsForEarlierMonthsForTheNextThreeAndForOtherIds() throws SQLException {
		TestDatabase.execute("postgres", "create database whole owner " + TestDatabase.OWNER);
		migrate("whole");
		TestDatabase.execute("whole",
				"""
						insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, status, last_event,
						                   created_at)
						select id, '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 'a', 'a', '{}',
						       's', status, status, now()
						  from unnest(array[first_id('2001-01-01Z'), uuidv7(),
						                    first_id((date_trunc('month', now() at time zone 'UTC') + interval '3 months')
						                             at time zone 'UTC'),
						                    'ffffffff-ffff-ffff-ffff-ffffffffffff'],
						              array['pending', 'delivered', 'bounced', 'pending']) as added (id, status);
						insert into delivery (id, account_id, email_id, position, recipient, status, created_at)
						select uuidv7(), account_id, id, 0, 'b@c.test', status, now() from email;
						insert into event (id, account_id, kind, email_id, created_at)
						select uuidv7(), account_id, 'email.sent', id, now() from email;
						""");
		YearMonth month = YearMonth.now(ZoneOffset.UTC);
		for (String table : List.of("email", "delivery")) {
			assertThat(column("whole",
					"select tableoid::regclass || ' ' || count(*) from " + table + " group by tableoid"))
				.containsExactlyInAnyOrder(partition(table, month) + " 2", partition(table, month.plusMonths(3)) + " 1",
						table + "_other 1");
		}
		TestDatabase.execute("whole", """
				update email set status = 'delivered' where status in ('pending', 'bounced');
				delete from email where id = (select id from email order by id limit 1);
				""");
		assertThat(column("whole",
				"select status || ' ' || sum(count) from email_count group by status having sum(count) <> 0"))
			.containsExactly("delivered 3");
		assertThat(column("whole", "select count(*) from email_trouble")).containsExactly("0");
		assertThat(
				column("whole", "select count(*) from delivery_state join event using (email_id) where phase = 'done'"))
			.containsExactly("4");
	}

	private static String partition(String table, YearMonth month) {
		return table + month.format(DateTimeFormatter.ofPattern("_yyyy_MM"));
	}

	private static List<String> column(String database, String sql) throws SQLException {
		List<String> values = new ArrayList<>();
		try (Connection connection = TestDatabase.connect(database);
				ResultSet rows = connection.createStatement().executeQuery(sql)) {
			while (rows.next()) {
				values.add(rows.getString(1));
			}
		}
		return values;
	}

	private static void migrate(String database) {
		Migrate.run(TestDatabase.URL.replace("/mailroom", "/" + database),
				new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), TestDatabase.APP);
	}

}
