package dev.mailroom.worker.dispatch;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.operator.Workers;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Repository;

/**
 * A database connection outside of the pool that holds the advisory lock of the active
 * dispatcher and receives notifications. Both end with the connection. It receives those
 * of work and of stops before it has the lock as well.
 */
@Repository
@AcrossAccounts("an advisory lock and notifications; no rows are read")
class DispatcherLock {

	private static final Logger log = LoggerFactory.getLogger(DispatcherLock.class);

	/** Notified by triggers, after rare changes that give the workers something to do. */
	private static final String WORK = "mailroom_work";

	/** Notified by triggers, when mail that passed the fence may have to stop. */
	private static final String STOP = "mailroom_stop";

	/** Interval at which the lock is requested. */
	private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

	/** Interval of checks of the connection that holds the lock. */
	private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

	/** Limit on each statement, after which another worker may have the lock. */
	private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration MIN_ERROR_DELAY = Duration.ofMillis(500);

	private static final Duration MAX_ERROR_DELAY = Duration.ofSeconds(5);

	private final JdbcTransactions database;

	private final WorkLoops loops;

	private CountDownLatch stop = new CountDownLatch(0);

	private volatile @Nullable Connection connection;

	DispatcherLock(JdbcTransactions database, WorkLoops loops) {
		this.database = database;
		this.loops = loops;
	}

	/** Begins to wait for the lock, and to receive notifications. */
	void start(Listener listener) {
		CountDownLatch stopped = new CountDownLatch(1);
		this.stop = stopped;
		Thread.ofVirtual().name("notifications").start(() -> run(listener, stopped));
	}

	/** Closes the connection, which releases the lock. */
	void stop() {
		this.stop.countDown();
		close(this.connection);
	}

	private void run(Listener listener, CountDownLatch stopped) {
		Duration delay = MIN_ERROR_DELAY;
		try {
			do {
				try (Connection opened = this.database.connect()) {
					this.connection = opened;
					delay = MIN_ERROR_DELAY;
					receive(opened, listener, stopped);
				}
				catch (SQLException | RuntimeException ex) {
					if (stopped.getCount() > 0) {
						log.warn("The connection of the dispatcher's lock failed and is replaced: {}", ex.toString());
					}
				}
				finally {
					listener.lost();
				}
				Duration doubled = delay.multipliedBy(2);
				delay = (doubled.compareTo(MAX_ERROR_DELAY) < 0) ? doubled : MAX_ERROR_DELAY;
			}
			while (!stopped.await(delay.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	private void receive(Connection opened, Listener listener, CountDownLatch stopped) throws SQLException {
		opened.setNetworkTimeout(Runnable::run, Math.toIntExact(STATEMENT_TIMEOUT.toMillis()));
		try (Statement statement = opened.createStatement()) {
			statement.execute("listen " + WORK + "; listen " + STOP);
			// Work may have been notified while there was no connection.
			this.loops.wake();
			this.loops.wakeForStops();
			boolean locked = false;
			while (stopped.getCount() > 0) {
				if (locked) {
					statement.execute("select 1");
				}
				else if (tryLock(statement)) {
					locked = true;
					statement.execute("listen " + Queue.Due.CHANNEL + "; listen " + Queue.NotTaken.CHANNEL);
					listener.acquired();
				}
				Duration interval = locked ? CHECK_INTERVAL : RETRY_INTERVAL;
				long end = System.nanoTime() + interval.toNanos();
				for (long left = interval.toMillis(); left > 0; left = TimeUnit.NANOSECONDS
					.toMillis(end - System.nanoTime())) {
					PGNotification @Nullable [] received = opened.unwrap(PGConnection.class)
						.getNotifications(Math.toIntExact(left));
					if (received != null) {
						notify(received, listener);
					}
				}
			}
		}
	}

	private static boolean tryLock(Statement statement) throws SQLException {
		try (ResultSet result = statement
			.executeQuery("select pg_try_advisory_lock(" + Workers.DISPATCHER_LOCK + ")")) {
			return result.next() && result.getBoolean(1);
		}
	}

	private void notify(PGNotification[] received, Listener listener) {
		for (PGNotification notification : received) {
			try {
				switch (notification.getName()) {
					case WORK -> this.loops.wake();
					case STOP -> this.loops.wakeForStops();
					case Queue.Due.CHANNEL -> listener.due(Queue.Due.of(notification.getParameter()));
					case Queue.NotTaken.CHANNEL -> listener.notTaken(Queue.NotTaken.of(notification.getParameter()));
					default -> {
					}
				}
			}
			catch (IllegalArgumentException ex) {
				log.warn("A notification could not be read: {}", ex.toString());
			}
		}
	}

	private static void close(@Nullable Connection connection) {
		if (connection != null) {
			try {
				connection.abort(Runnable::run);
			}
			catch (SQLException ex) {
				log.debug("The connection of the dispatcher's lock could not be closed: {}", ex.toString());
			}
		}
	}

	/** Receives the lock and notifications, on the thread of the connection. */
	interface Listener {

		/** Called when the lock is acquired. */
		void acquired();

		/** Called when the connection has ended, whether the lock was acquired or not. */
		void lost();

		/** Called after commits of mail that is due. */
		void due(Queue.Due due);

		/** Called when a worker does not take deliveries. */
		void notTaken(Queue.NotTaken message);

	}

}
