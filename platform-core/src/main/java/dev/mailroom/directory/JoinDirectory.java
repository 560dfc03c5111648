package dev.mailroom.directory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.WrongSetting;
import dev.mailroom.database.DatabaseUrl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a cell join the directory: creates the cell's role and the publication in the
 * directory, and the subscription in the cell, as far as they are missing. Both databases
 * have the schema already. It can be repeated at any time, and then sets the password and
 * the addresses anew.
 */
public final class JoinDirectory {

	private static final Logger log = LoggerFactory.getLogger(JoinDirectory.class);

	private static final String PUBLICATION = "mailroom_directory";

	private JoinDirectory() {
	}

	/**
	 * Joins the directory that the environment names; the program of a deployment's job.
	 * Fails with status 1.
	 */
	public static void main(String[] arguments) throws SQLException {
		run(System.getenv());
	}

	static void run(Map<String, String> environment) throws SQLException {
		String cell = required(environment, "MAILROOM_CELL");
		DatabaseUrl directory = DatabaseUrl.parse(DirectoryServer.URL, required(environment, DirectoryServer.URL));
		DatabaseUrl own = DatabaseUrl.parse(required(environment, "MAILROOM_DB_URL"));
		DatabaseUrl.Login role = DirectoryServer.login(cell, required(environment, DirectoryServer.PASSWORD));
		try (Connection connection = directory.connect(login(environment, "MAILROOM_DIRECTORY_OWNER"))) {
			prepare(connection, role);
			run(connection,
					"insert into directory_cell (name, url) values (" + literal(cell) + ", "
							+ literal(required(environment, "MAILROOM_APP_URL").replaceFirst("/+$", ""))
							+ ") on conflict (name) do update set url = excluded.url");
		}
		log.info("The cell {} is in the directory", cell);
		if (own.hosts().equals(directory.hosts()) && own.database().equals(directory.database())) {
			log.info("This cell has the directory itself and needs no copy");
			return;
		}
		try (Connection connection = directory.connect(role)) {
			run(connection,
					"select pg_create_logical_replication_slot(" + literal(role.user())
							+ ", 'pgoutput') where not exists (select from pg_replication_slots where slot_name = "
							+ literal(role.user()) + ")");
		}
		try (Connection connection = own.connect(login(environment, "MAILROOM_DB_OWNER"))) {
			follow(connection, directory, role);
		}
		log.info("The cell {} follows the directory", cell);
	}

	private static void prepare(Connection directory, DatabaseUrl.Login role) throws SQLException {
		if (!exists(directory, "pg_roles where rolname = ?", role.user())) {
			run(directory, "create role " + role.user() + " login replication");
		}
		run(directory, "alter role " + role.user() + " password " + literal(role.password()));
		run(directory, "grant mailroom_directory to " + role.user());
		if (!exists(directory, "pg_publication where pubname = ?", PUBLICATION)) {
			run(directory, "create publication " + PUBLICATION
					+ " for table directory_cell, directory_account, directory_name");
		}
	}

	/**
	 * Creates the subscription. Its slot exists, because the server of the directory may
	 * be that of the cell, and would wait for the end of this statement to create one.
	 */
	private static void follow(Connection own, DatabaseUrl directory, DatabaseUrl.Login role) throws SQLException {
		String target = literal(conninfo(directory, role));
		if (exists(own,
				"pg_subscription where subname = ? and subdbid = (select oid from pg_database where datname = current_database())",
				role.user())) {
			run(own, "alter subscription " + role.user() + " connection " + target);
			run(own, "alter subscription " + role.user() + " refresh publication");
		}
		else {
			run(own, "create subscription " + role.user() + " connection " + target + " publication " + PUBLICATION
					+ " with (create_slot = false, slot_name = " + role.user() + ")");
		}
	}

	/**
	 * The address of the directory for the server of the cell, which reads its own files.
	 */
	private static String conninfo(DatabaseUrl directory, DatabaseUrl.Login role) {
		return "host="
				+ quoted(directory.hosts().stream().map((host) -> host.getHost()).collect(Collectors.joining(",")))
				+ " port="
				+ quoted(directory.hosts().stream().map((host) -> "" + host.getPort()).collect(Collectors.joining(",")))
				+ " dbname=" + quoted(directory.database()) + " user=" + quoted(role.user()) + " password="
				+ quoted(role.password()) + " target_session_attrs=read-write "
				+ directory.parameters()
					.entrySet()
					.stream()
					.map((parameter) -> parameter.getKey() + "=" + quoted(parameter.getValue()))
					.collect(Collectors.joining(" "));
	}

	private static String quoted(String value) {
		return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
	}

	private static String literal(String value) {
		if (value.contains("\\")) {
			return " E'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
		}
		return "'" + value.replace("'", "''") + "'";
	}

	private static DatabaseUrl.Login login(Map<String, String> environment, String prefix) {
		return new DatabaseUrl.Login(required(environment, prefix + "_USER"),
				environment.getOrDefault(prefix + "_PASSWORD", ""));
	}

	private static String required(Map<String, String> environment, String name) {
		String value = environment.getOrDefault(name, "");
		if (value.isBlank()) {
			throw new WrongSetting(name + " is not set");
		}
		return value;
	}

	private static boolean exists(Connection connection, String from, String name) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("select from " + from)) {
			statement.setString(1, name);
			try (ResultSet result = statement.executeQuery()) {
				return result.next();
			}
		}
	}

	private static void run(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
