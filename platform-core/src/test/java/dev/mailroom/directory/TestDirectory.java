package dev.mailroom.directory;

import java.net.URI;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

import dev.mailroom.DatabaseProxy;
import dev.mailroom.TestDatabase;
import dev.mailroom.database.Migrate;

/**
 * Two cells on the server of the tests: eu1 with the database of all tests, which follows
 * the directory, and us1 with the database that is the directory.
 */
public final class TestDirectory {

	/** Database of the cell us1. */
	public static final String OTHER = "other_cell";

	public static final String OTHER_URL = TestDatabase.URL.replace("/mailroom", "/" + OTHER);

	static final String PASSWORD = "it's a secret";

	/** Between the apps of eu1 and the directory; the copy does not pass it. */
	public static final DatabaseProxy PROXY = DatabaseProxy.start(URI.create(OTHER_URL));

	/** Variables of the cell eu1. */
	private static final Map<String, String> CELL = Map.of("MAILROOM_CELL", "eu1", "MAILROOM_APP_URL",
			"https://eu1.example.test", "MAILROOM_DB_URL", TestDatabase.URL, "MAILROOM_DB_OWNER_USER", "postgres",
			"MAILROOM_DIRECTORY_URL", OTHER_URL, "MAILROOM_DIRECTORY_PASSWORD", PASSWORD,
			"MAILROOM_DIRECTORY_OWNER_USER", "postgres");

	static {
		TestDatabase.execute("postgres", "create database " + OTHER + " owner " + TestDatabase.OWNER);
		Migrate.run(OTHER_URL, new Migrate.Owner(TestDatabase.OWNER, TestDatabase.PASSWORD), TestDatabase.APP);
	}

	private TestDirectory() {
	}

	/** Creates the database of the other cell. */
	public static void start() {
		// By the initializer.
	}

	/** Lets both cells join. */
	public static void join() throws SQLException {
		JoinDirectory.run(CELL);
		Map<String, String> other = new HashMap<>(CELL);
		other.putAll(Map.of("MAILROOM_CELL", "us1", "MAILROOM_APP_URL", "https://us1.example.test", "MAILROOM_DB_URL",
				OTHER_URL));
		JoinDirectory.run(other);
	}

	/** Ends the copy. */
	public static void leave() {
		TestDatabase.execute("mailroom", "drop subscription mailroom_cell_eu1");
		TestDatabase.execute(OTHER, "drop publication mailroom_directory");
		TestDatabase.execute(OTHER, "truncate directory_cell, directory_account, directory_name");
		TestDatabase.execute("mailroom", "truncate directory_cell, directory_account, directory_name");
	}

	/** Variables with which the programs of eu1 reach the directory. */
	public static Map<String, String> environment() {
		return Map.of("MAILROOM_DIRECTORY_URL", PROXY.url(), "MAILROOM_DIRECTORY_PASSWORD", PASSWORD);
	}

}
