package dev.mailroom.directory;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.directory.Directory.Difference;
import dev.mailroom.directory.Directory.Home;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the directory and of its copy in the cell's own database. */
@Repository
@AcrossAccounts("the directory finds the cell of any account")
class DirectoryStore {

	private static final String HOME = "select account, cell, url from directory_home(:name)";

	private final DatabaseClient database;

	DirectoryStore(DatabaseClient database) {
		this.database = database;
	}

	/** The cell of a name, by the copy. */
	Mono<Home> home(String name) {
		return this.database.sql(HOME).bind("name", name).mapProperties(Home.class).one();
	}

	/** The cell of a name, by the directory; empty if no cell has it. */
	static List<Home> home(JdbcClient directory, String name) {
		return SqlStatement.of(HOME).bind("name", name).list(directory, DirectoryStore::home);
	}

	/** Claims names; returns those that another cell has, by the cell. */
	static List<Home> claim(JdbcClient directory, List<String> names, List<UUID> accounts) {
		return SqlStatement.of("""
				select claim.account, refused.cell, refused.url
				  from claim_names(:names, :accounts) as refused
				  join unnest(:names, :accounts) as claim(name, account) on claim.name = refused.refused
				""")
			.bind("names", names.toArray(String[]::new))
			.bind("accounts", accounts.toArray(UUID[]::new))
			.list(directory, DirectoryStore::home);
	}

	private static Home home(Readable row) {
		return new Home(value(row, "account", UUID.class), text(row, "cell"), text(row, "url"));
	}

	/** Releases names that were not claimed for some time. */
	static void release(JdbcClient directory, List<String> names, List<UUID> accounts, Duration age) {
		SqlStatement.of("select from release_names(:names, :accounts, :age * interval '1 millisecond')")
			.bind("names", names.toArray(String[]::new))
			.bind("accounts", accounts.toArray(UUID[]::new))
			.bind("age", age.toMillis())
			.run(directory);
	}

	static void move(JdbcClient directory, UUID account, String cell) {
		SqlStatement.of("select from move_directory_account(:account, :cell)")
			.bind("account", account)
			.bind("cell", cell)
			.run(directory);
	}

	/** Records that the cell reaches the directory. */
	static void seen(JdbcClient directory) {
		SqlStatement.of("select from directory_seen()").run(directory);
	}

	/**
	 * Seconds since a cell reached the directory, by the directory or by a copy; empty if
	 * it has not joined.
	 */
	static List<Double> seconds(JdbcClient jdbc, String cell) {
		return SqlStatement
			.of("select extract(epoch from now() - seen_at)::float8 from directory_cell where name = :cell")
			.bind("cell", cell)
			.values(jdbc, Double.class);
	}

	/**
	 * Differences between the cell and the copy, after a name.
	 * @param settled age of claims that may be released
	 */
	static List<Difference> differences(JdbcClient jdbc, String cell, Duration settled, String after, int limit) {
		return SqlStatement.of("""
				select kind, name, account, coalesce(target, '') as target from directory_differences(:cell)
				 where name > :after
				   and (kind <> 'surplus' or claimed_at <= now() - :settled * interval '1 millisecond')
				 order by name, kind limit :limit
				""")
			.bind("cell", cell)
			.bind("settled", settled.toMillis())
			.bind("after", after)
			.bind("limit", limit)
			.list(jdbc, (row) -> new Difference(text(row, "kind"), text(row, "name"), value(row, "account", UUID.class),
					text(row, "target")));
	}

}
