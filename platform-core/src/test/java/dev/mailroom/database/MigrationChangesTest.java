package dev.mailroom.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.mailroom.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Migrations run while apps of the release before them serve: they remove nothing that
 * those use, and do not stop their writes for as long as a table is read. Each migration
 * is run and its effect compared, since the text of a statement does not show its locks.
 */
class MigrationChangesTest {

	/** The newest migration of the last release; those after it are checked. */
	private static final int RELEASED = 24;

	private static final String DATABASE = "changes";

	/** Builds an index without stopping writes, outside of a transaction. */
	private static final Pattern CONCURRENTLY = Pattern.compile("create (unique )?index concurrently [^;]+",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern NOTHING = Pattern.compile("");

	/** Parts of the schema that the release before uses; each line must stay. */
	private static final String USED = """
			select 'column ' || attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod)
			  from pg_attribute join pg_class on pg_class.oid = attrelid
			 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped
			union all
			select 'function ' || oid::regprocedure || ' ' || prorettype::regtype from pg_proc
			 where pronamespace = 'public'::regnamespace
			union all
			select 'storage of ' || oid::regclass || ' ' || pg_relation_filenode(oid) from pg_class
			 where relnamespace = 'public'::regnamespace and relkind = 'r'
			""";

	/** Rules for rows of existing tables, which the release before does not keep. */
	private static final String RULES = """
			select 'rule ' || pg_get_constraintdef(oid) || ' of ' || conrelid::regclass from pg_constraint
			 where connamespace = 'public'::regnamespace and contype <> 'n'
			   and conrelid in (select oid from pg_class where oid < %1$s)
			union all
			select 'rule not null of ' || attrelid::regclass || '.' || attname from pg_attribute
			 where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and oid < %1$s)
			   and attnotnull and not atthasdef and attidentity = ''
			""";

	/**
	 * Existing tables that this transaction has read as a whole, or indexed, while it
	 * stops their writes.
	 */
	private static final String STOPPED = """
			select distinct 'writes stopped while it is read: ' || relation::regclass
			  from pg_locks join (select relid as relation, seq_scan from pg_stat_xact_user_tables) as scanned
			        using (relation)
			  left join scans_before using (relation)
			 where pid = pg_backend_pid() and granted and seq_scan > coalesce(scans, 0) and relation < %s
			   and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
			""";

	/** Scans of earlier transactions, which are reported late. */
	private static final String SCANS_BEFORE = "create temporary table scans_before on commit drop as "
			+ "select relid as relation, seq_scan as scans from pg_stat_xact_user_tables";

	/** The migration that begins to partition the calls of webhooks. */
	private static final int FIRST_OF_PARTITIONS = 27;

	/**
	 * Changes that are not additions, with which the release before serves: the calls of
	 * webhooks become the first partition of a table with their name. What it writes is
	 * within the bound, months ahead; rows are read before the locks; only triggers write
	 * the counts, which are few.
	 */
	private static final Map<Integer, Pattern> EXCEPTIONS = Map.of(FIRST_OF_PARTITIONS,
			Pattern.compile("rule CHECK \\(\\((event|delivery)_id < '[0-9a-f-]+'::uuid\\)\\) NOT VALID of webhook_.+"),
			FIRST_OF_PARTITIONS + 1,
			Pattern.compile("(storage of|rule .+ of|writes stopped while it is read:) webhook_(delivery|attempt).*"));

	@BeforeAll
	static void migrate() {
		TestDatabase.execute("postgres", "drop database if exists " + DATABASE);
		TestDatabase.execute("postgres", "create database " + DATABASE + " owner " + TestDatabase.OWNER);
		Migrate.run(TestDatabase.URL.replace("/mailroom", "/" + DATABASE),
				new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), TestDatabase.APP);
	}

	@Test
	void theMigrationsSinceTheLastReleaseOnlyAdd() throws IOException, SQLException {
		String database = "released";
		TestDatabase.execute("postgres", "create database " + database + " owner " + TestDatabase.OWNER);
		try (Connection connection = TestDatabase.connect(database)) {
			for (Resource file : migrations()) {
				String sql = file.getContentAsString(StandardCharsets.UTF_8).replace("${app}", TestDatabase.APP);
				if (number(file) > RELEASED) {
					assertThat(changes(connection, sql)).as(file.getFilename())
						.filteredOn(
								(change) -> !EXCEPTIONS.getOrDefault(number(file), NOTHING).matcher(change).matches())
						.isEmpty();
				}
				connection.setAutoCommit(true);
				run(connection, sql);
			}
		}
	}

	@Test
	void webhookCallsStayInPlaceWhenTheyArePartitionedAndTheStatementsOfTheReleaseBeforeWriteThem()
			throws IOException, SQLException {
		String database = "unpartitioned";
		TestDatabase.execute("postgres", "create database " + database + " owner " + TestDatabase.OWNER);
		String insert = """
				insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at)
				select gen_random_uuid(), '%1$s', '%1$s', first_id(now() + number * interval '1 day'), 'email.sent', now(), now()
				  from unnest(array[%2$s]) as number
				on conflict (account_id, endpoint_id, event_id) do nothing
				""";
		UUID endpoint = UUID.randomUUID();
		try (Connection connection = TestDatabase.connect(database)) {
			for (Resource file : migrations()) {
				String sql = file.getContentAsString(StandardCharsets.UTF_8).replace("${app}", TestDatabase.APP);
				run(connection, sql);
				if (number(file) == FIRST_OF_PARTITIONS - 1) {
					run(connection, insert.formatted(endpoint, "-100"));
				}
			}
			List<String> first = rows(connection,
					"select tableoid::regclass || ' ' || ctid || ' ' || xmin from webhook_delivery");
			run(connection, insert.formatted(endpoint, "0, 150"));
			assertThat(rows(connection,
					"select tableoid::regclass || ' ' || ctid || ' ' || xmin from webhook_delivery order by event_id limit 1"))
				.isEqualTo(first);
			assertThat(rows(connection, "select count(distinct tableoid)::text from webhook_delivery"))
				.containsExactly("2");
			String total = "select sum(count) from webhook_delivery_count where endpoint_id = '" + endpoint + "'";
			assertThat(rows(connection, total)).containsExactly("3");
			run(connection,
					"update webhook_delivery set status = 'failed' where id in (select id from webhook_delivery)");
			run(connection, "delete from webhook_delivery where event_id < first_id(now() - interval '9 days')");
			assertThat(rows(connection, total)).containsExactly("2");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "alter table email add column note text",
			"alter table email add column note text not null default ''",
			"create table note (id uuid primary key, email_id uuid not null); create index on note (email_id)",
			"create view short as select id from email", "create index concurrently email_note on domain (name)",
			"create function f() returns int language sql return 1",
			"alter table domain alter column name drop not null" })
	void additionsArePermitted(String sql) throws SQLException {
		assertThat(changes(sql)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			alter table email drop column subject                            | column email.subject text
			alter table domain rename column name to label                   | column domain.name text
			alter table domain alter column name type varchar(300)           | column domain.name text
			drop view delivery_state                                         | column delivery_state.phase text
			alter table domain rename to domains                             | column domain.name text
			drop function first_id(timestamptz) cascade                      | function first_id
			create index on domain (name)                                    | writes stopped while it is read: domain
			alter table domain add column note uuid default gen_random_uuid()| storage of domain
			alter table domain add column note text not null                 | rule not null of domain.note
			alter table domain add check (length(name) < 9)                  | rule CHECK
			alter table webhook_endpoint add unique (url)                    | rule UNIQUE (url) of webhook_endpoint
			""")
	void changesOfWhatTheReleaseBeforeUsesAreRefused(String sql, String change) throws SQLException {
		assertThat(changes(sql)).anyMatch((found) -> found.startsWith(change));
	}

	private static List<String> changes(String sql) throws SQLException {
		try (Connection connection = TestDatabase.connect(DATABASE)) {
			return changes(connection, sql);
		}
	}

	/** The effects of statements, which are rolled back, on the release before them. */
	private static List<String> changes(Connection connection, String sql) throws SQLException {
		if (Arrays.stream(sql.split(";", -1)).map(String::strip).allMatch(CONCURRENTLY.asMatchPredicate())) {
			return List.of();
		}
		connection.setAutoCommit(false);
		try {
			String firstNew = rows(connection, "select max(oid)::bigint + 1 from pg_class").getFirst();
			List<String> used = rows(connection, USED);
			Set<String> rules = new HashSet<>(rows(connection, RULES.formatted(firstNew)));
			run(connection, SCANS_BEFORE);
			run(connection, sql);
			List<String> changes = new ArrayList<>(used);
			changes.removeAll(new HashSet<>(rows(connection, USED)));
			rows(connection, RULES.formatted(firstNew)).stream()
				.filter((rule) -> !rules.contains(rule))
				.forEach(changes::add);
			changes.addAll(rows(connection, STOPPED.formatted(firstNew)));
			return changes;
		}
		finally {
			connection.rollback();
		}
	}

	private static List<Resource> migrations() throws IOException {
		return Arrays.stream(new PathMatchingResourcePatternResolver().getResources("classpath*:db/migration/*"))
			.sorted(Comparator.comparingInt(MigrationChangesTest::number))
			.toList();
	}

	private static int number(Resource file) {
		String name = String.valueOf(file.getFilename());
		return Integer.parseInt(name.substring(1, name.indexOf('_')));
	}

	private static void run(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static List<String> rows(Connection connection, String sql) throws SQLException {
		List<String> rows = new ArrayList<>();
		try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			while (result.next()) {
				rows.add(result.getString(1));
			}
		}
		return rows;
	}

}
