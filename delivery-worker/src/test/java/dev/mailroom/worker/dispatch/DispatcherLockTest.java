package dev.mailroom.worker.dispatch;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.TestDatabase;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.operator.Workers;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = DispatcherLockTest.Connections.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@ContextConfiguration(initializers = { TestDatabase.class, DispatcherLockTest.Proxied.class })
class DispatcherLockTest {

	/** A database of its own, because the lock of the other one belongs to workers. */
	private static final String DATABASE = "dispatcher_lock";

	private static final DatabaseProxy PROXY = DatabaseProxy.start();

	@Autowired
	DispatcherLock lock;

	@Autowired
	WorkLoops loops;

	@Test
	void theLockIsGivenUpWithinSecondsIfItsConnectionStandsStill() {
		Received received = new Received();
		this.lock.start(received);
		try {
			Await.until("the lock", received.active::get);
			PROXY.freeze();
			Await.until("the end", () -> !received.active.get());
		}
		finally {
			this.lock.stop();
			PROXY.thaw();
		}
	}

	@Test
	void theActiveDispatcherHearsOfDueMailAndOfMailThatIsNotTaken() throws SQLException {
		Received received = new Received();
		this.lock.start(received);
		try (Connection other = TestDatabase.connect(DATABASE); Statement statement = other.createStatement()) {
			Await.until("the lock", received.active::get);
			UUID delivery = UUID.randomUUID();
			statement
				.execute("notify mailroom_due; notify mailroom_due, 'nonsense'; notify mailroom_not_taken, 'nonsense'; "
						+ "notify mailroom_not_taken, '1500 true " + delivery + "'");
			Await.until("the message", () -> !received.notTaken.isEmpty());
			assertThat(received.notTaken)
				.containsExactly(new Queue.NotTaken(List.of(delivery), Duration.ofMillis(1500), true));
			assertThat(received.due).hasValue(1);
		}
		finally {
			this.lock.stop();
		}
	}

	@Test
	void aWorkerWithoutTheLockSearchesForNotifiedWorkAsWell() throws SQLException {
		AtomicInteger searches = new AtomicInteger();
		this.loops.add("test", Duration.ofMillis(1), () -> searches.incrementAndGet() < 0);
		this.loops.start();
		Received received = new Received();
		try (Connection other = TestDatabase.connect(DATABASE); Statement statement = other.createStatement()) {
			statement.execute("select pg_advisory_lock(" + Workers.DISPATCHER_LOCK + ")");
			this.lock.start(received);
			Await.until("the search when the worker begins to listen", () -> searches.get() == 2);
			statement.execute("notify mailroom_work");
			Await.until("the search after the notification", () -> searches.get() == 3);
			assertThat(received.active).isFalse();
		}
		finally {
			this.lock.stop();
			this.loops.stop();
		}
	}

	@Test
	void aWorkerWithoutTheLockHearsOfStops() throws SQLException {
		AtomicInteger checks = new AtomicInteger();
		this.loops.addForStops("test", Duration.ofMillis(1), () -> checks.incrementAndGet() < 0);
		this.loops.start();
		this.lock.start(new Received());
		try (Connection other = TestDatabase.connect(DATABASE); Statement statement = other.createStatement()) {
			Await.until("the check when the worker begins to listen", () -> checks.get() == 2);
			statement.execute("notify mailroom_stop");
			Await.until("the check after the notification", () -> checks.get() == 3);
		}
		finally {
			this.lock.stop();
			this.loops.stop();
		}
	}

	/** Records what the dispatcher is told. */
	private static final class Received implements DispatcherLock.Listener {

		private final AtomicBoolean active = new AtomicBoolean();

		private final AtomicInteger due = new AtomicInteger();

		private final List<Queue.NotTaken> notTaken = new CopyOnWriteArrayList<>();

		@Override
		public void acquired() {
			this.active.set(true);
		}

		@Override
		public void lost() {
			this.active.set(false);
		}

		@Override
		public void due(Queue.Due due) {
			this.due.incrementAndGet();
		}

		@Override
		public void notTaken(Queue.NotTaken message) {
			this.notTaken.add(message);
		}

	}

	/** The connections without the features that use them. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ R2dbcAutoConfiguration.class, R2dbcTransactionManagerAutoConfiguration.class })
	@ComponentScan("dev.mailroom.database")
	@ConfigurationPropertiesScan("dev.mailroom.database")
	@Import({ DispatcherLock.class, LoopHealth.class, NotifiedWork.class })
	static class Connections {

	}

	/** Connects through the proxy. */
	static class Proxied implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			TestDatabase.execute("postgres", "create database " + DATABASE);
			TestPropertyValues.of("spring.r2dbc.url=r2dbc:" + PROXY.url().replaceFirst("/mailroom$", "/" + DATABASE))
				.applyTo(context);
		}

	}

}
