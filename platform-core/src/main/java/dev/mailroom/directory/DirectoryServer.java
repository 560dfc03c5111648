package dev.mailroom.directory;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.WrongSetting;
import dev.mailroom.database.DatabaseUrl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The database with the directory, as a cell's role sees it. Each call has a connection
 * of its own: calls are rare, and idle apps need none.
 */
public final class DirectoryServer {

	static final String URL = "MAILROOM_DIRECTORY_URL";

	static final String PASSWORD = "MAILROOM_DIRECTORY_PASSWORD";

	private static final Logger log = LoggerFactory.getLogger(DirectoryServer.class);

	private static final Refusal UNAVAILABLE = Refusal.unavailable("Service unavailable");

	/** Limit on a connection, and on a reply: people wait for it. */
	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

	private final DatabaseUrl url;

	private final DatabaseUrl.Login login;

	private DirectoryServer(DatabaseUrl url, DatabaseUrl.Login login) {
		this.url = url;
		this.login = login;
	}

	/** The directory of a cell; null if the URL is empty. */
	static @Nullable DirectoryServer of(String url, String cell, String password) {
		return url.isEmpty() ? null : new DirectoryServer(DatabaseUrl.parse(URL, url), login(cell, password));
	}

	/** The directory that the variables of an app name; null if there is none. */
	public static @Nullable DirectoryServer of(Map<String, String> environment) {
		return of(environment.getOrDefault(URL, ""), environment.getOrDefault("MAILROOM_CELL", ""),
				environment.getOrDefault(PASSWORD, ""));
	}

	/** The role of a cell in the directory. */
	static DatabaseUrl.Login login(String cell, String password) {
		if (cell.isEmpty()) {
			throw new WrongSetting(URL + " is set, and MAILROOM_CELL is not");
		}
		return new DatabaseUrl.Login("mailroom_cell_" + cell, password);
	}

	/**
	 * Fails unless a cell has joined the directory.
	 * @throws Refused {@code Service unavailable}
	 */
	public void require(String cell) {
		if (run((jdbc) -> DirectoryStore.seconds(jdbc, cell)).isEmpty()) {
			throw new IllegalStateException("The cell " + cell + " has not joined the directory");
		}
	}

	/**
	 * Gives an account of this cell, with its names, to another cell. Has no effect if it
	 * is there already.
	 * @throws Refused {@code Service unavailable}
	 */
	public void move(UUID account, String cell) {
		run((jdbc) -> {
			DirectoryStore.move(jdbc, account, cell);
			return List.of();
		});
	}

	/**
	 * Runs statements, each in a transaction.
	 * @throws Refused {@code Service unavailable}
	 */
	<T> T run(Function<JdbcClient, T> work) {
		try (Connection connection = this.url.connect(this.login, TIMEOUT)) {
			return work.apply(JdbcClient.create(new SingleConnectionDataSource(connection, true)));
		}
		catch (SQLException | DataAccessException ex) {
			log.warn("The directory of cells cannot be used: {}", ex.toString());
			throw unavailable();
		}
	}

	static Refused unavailable() {
		return UNAVAILABLE
			.because("The directory of all cells cannot be reached at present, and nothing was changed."
					+ " Signing in and sending work: repeat this request later.")
			.retryAfter(RETRY_AFTER);
	}

}
