package dev.mailroom.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MigrationsTest {

	private static final Pattern NAME = Pattern.compile("V([1-9][0-9]*)__[a-z]+(_[a-z]+)*\\.sql");

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
	void theRowsOfATableBecomeItsFirstPartition() throws SQLException {
		createAt("whole", "35");
		TestDatabase.execute("whole",
				"""
						insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, status, last_event,
						                   created_at)
						select uuidv7(), '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 'a', 'a', '{}',
						       's', status, status, now()
						  from unnest(array['pending', 'delivered', 'bounced']) as status;
						insert into delivery (id, account_id, email_id, position, recipient, status, created_at)
						select uuidv7(), account_id, id, 0, 'b@c.test', status, now() from email;
						insert into event (id, account_id, kind, email_id, created_at)
						select uuidv7(), account_id, 'email.sent', id, now() from email;
						""");
		migrate("whole");
		TestDatabase.execute("whole", """
				update email set status = 'delivered' where status in ('pending', 'bounced');
				delete from email where id = (select id from email order by id limit 1);
				""");
		assertThat(column("whole", "select distinct tableoid::regclass from email")).hasSize(1)
			.allMatch((name) -> name.matches("email_[0-9]{4}_[0-9]{2}"));
		assertThat(column("whole",
				"select status || ' ' || sum(count) from email_count group by status having sum(count) <> 0"))
			.containsExactly("delivered 2");
		assertThat(column("whole", "select count(*) from email_trouble")).containsExactly("0");
		assertThat(
				column("whole", "select count(*) from delivery_state join event using (email_id) where phase = 'done'"))
			.containsExactly("3");
	}

	@Test
	void rowsHeldByAYearAreHeldByTheColumnAndDueNow() throws SQLException {
		createAt("held", "46");
		TestDatabase.execute("held", """
				insert into queue (id, account_id, email_id, recipient, destination, ready, due_at)
				select uuidv7(), uuidv7(), uuidv7(), 'b@c.test', 'c.test', false, due_at::timestamptz
				  from unnest(array['9999-01-01 00:00:00Z', '9998-01-01 00:00:00Z', '9997-01-01 00:00:00Z']) as due_at
				""");
		migrate("held");
		assertThat(column("held",
				"select coalesce(held, 'later') || ' ' || (due_at <= now()) || ' ' || ready from queue order by 1"))
			.containsExactly("campaign true false", "destination true false", "later false false");
	}

	/** Creates a database with an earlier version of the schema. */
	private static void createAt(String database, String version) {
		TestDatabase.execute("postgres", "create database " + database + " owner " + TestDatabase.OWNER);
		Migrate.configuration()
			.dataSource("jdbc:" + TestDatabase.URL.replace("/mailroom", "/" + database), TestDatabase.OWNER,
					TestDatabase.PASSWORD)
			.placeholders(Map.of("app", TestDatabase.APP))
			.target(version)
			.load()
			.migrate();
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
