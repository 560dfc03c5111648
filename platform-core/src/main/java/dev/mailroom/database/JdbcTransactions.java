package dev.mailroom.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Opens transactions on the calling thread, over JDBC, and sets the accounts whose rows
 * they may access (row-level security): for the commits of accepted mail and for the
 * worker, whose threads wait for their statements. Work inside an open transaction of the
 * thread joins it. Statements end after the time limits of their sessions; if the server
 * does not respond, the connection is closed a little later.
 */
@Component
public class JdbcTransactions {

	private static final String OF_ACCOUNTS = "select set_config('app.account_ids', :accounts, true)";

	private static final String COMMIT = OF_ACCOUNTS + ", set_config('lock_timeout', :lock_timeout, true)";

	private static final String ALL_ACCOUNTS = "select set_config('role', 'mailroom_system', true)";

	/** As {@link Transactions#INDEX_PLANS}, and as one statement, which is prepared. */
	private static final String BY_INDEX = ALL_ACCOUNTS
			+ ", set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)"
			+ ", set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)"
			+ ", set_config('plan_cache_mode', 'force_generic_plan', true)";

	private final JdbcPool commits;

	private final JdbcPool threads;

	JdbcTransactions(JdbcPool commitPool, JdbcPool threadPool) {
		this.commits = commitPool;
		this.threads = threadPool;
	}

	/**
	 * Runs the work of accepting mail in a transaction that may access the rows of these
	 * accounts. It has connections of its own with shorter time limits.
	 * @param lockTimeout limit for waiting for a lock
	 */
	@AcrossAccounts("requests of several accounts share one commit")
	public <T> T commit(Collection<UUID> accounts, Duration lockTimeout, Function<JdbcClient, T> work) {
		return this.commits.inTransaction(SqlStatement.of(COMMIT)
			.bind("accounts", Transactions.list(accounts))
			.bind("lock_timeout", Long.toString(lockTimeout.toMillis())), work);
	}

	/** Runs the work in a transaction that may access the rows of one account. */
	public <T extends @Nullable Object> T in(Scope scope, Function<JdbcClient, T> work) {
		return this.threads.inTransaction(
				SqlStatement.of(OF_ACCOUNTS).bind("accounts", Transactions.list(Set.of(scope.account()))), work);
	}

	/** Runs the work in a transaction that may access the rows of all accounts. */
	@AcrossAccounts("for the queue, operators and scheduled jobs")
	public <T extends @Nullable Object> T acrossAccounts(Function<JdbcClient, T> work) {
		return this.threads.inTransaction(SqlStatement.of(ALL_ACCOUNTS), work);
	}

	/**
	 * Runs the work in a transaction that may access the rows of all accounts and finds
	 * each of them by an index, as {@link Transactions#byIndex} does. A statement that
	 * runs here must not run in other transactions with the same text.
	 */
	@AcrossAccounts("for the queue")
	public <T extends @Nullable Object> T byIndex(Function<JdbcClient, T> work) {
		return this.threads.inTransaction(SqlStatement.of(BY_INDEX), work);
	}

	/** Like {@link #in(Scope, Function)}, without a result. */
	public void run(Scope scope, Consumer<JdbcClient> work) {
		in(scope, nothing(work));
	}

	/** Like {@link #acrossAccounts(Function)}, without a result. */
	@AcrossAccounts("for the queue, operators and scheduled jobs")
	public void runAcrossAccounts(Consumer<JdbcClient> work) {
		acrossAccounts(nothing(work));
	}

	/** Like {@link #byIndex(Function)}, without a result. */
	@AcrossAccounts("for the queue")
	public void runByIndex(Consumer<JdbcClient> work) {
		byIndex(nothing(work));
	}

	/**
	 * Opens a connection that belongs to no pool, to be closed by the caller: for
	 * notifications and locks, which end with it.
	 */
	public Connection connect() throws SQLException {
		return this.threads.connect();
	}

	private static Function<JdbcClient, @Nullable Void> nothing(Consumer<JdbcClient> work) {
		return (jdbc) -> {
			work.accept(jdbc);
			return null;
		};
	}

}
