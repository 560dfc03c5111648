package dev.mailroom.worker.dispatch;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.TestDatabase;
import dev.mailroom.operator.Workers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;

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
		AtomicBoolean active = new AtomicBoolean();
		AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
		Disposable rings = this.lock.rings().subscribe((_) -> active.set(true), end::set);
		try {
			Await.until("the lock", active::get);
			assertThat(end).hasNullValue();
			PROXY.freeze();
			Await.until("the end", () -> end.get() != null);
		}
		finally {
			rings.dispose();
			PROXY.thaw();
		}
	}

	@Test
	void aWorkerWithoutTheLockSearchesForAnnouncedWorkAsWell() throws SQLException {
		AtomicInteger searches = new AtomicInteger();
		this.loops.add("test", Duration.ofMillis(1), () -> searches.incrementAndGet() < 0);
		this.loops.start();
		AtomicBoolean active = new AtomicBoolean();
		Disposable rings = Disposables.disposed();
		try (Connection other = TestDatabase.connect(DATABASE); Statement statement = other.createStatement()) {
			statement.execute("select pg_advisory_lock(" + Workers.DISPATCHER_LOCK + ")");
			rings = this.lock.rings().subscribe((_) -> active.set(true));
			Await.until("the search when the worker begins to listen", () -> searches.get() == 2);
			statement.execute("notify mailroom_work");
			Await.until("the announced search", () -> searches.get() == 3);
			assertThat(active).isFalse();
		}
		finally {
			rings.dispose();
			this.loops.stop();
		}
	}

	@Test
	void aWorkerWithoutTheLockHearsOfStops() throws SQLException {
		AtomicInteger checks = new AtomicInteger();
		this.loops.addForStops("test", Duration.ofMillis(1), () -> checks.incrementAndGet() < 0);
		this.loops.start();
		Disposable rings = this.lock.rings().subscribe();
		try (Connection other = TestDatabase.connect(DATABASE); Statement statement = other.createStatement()) {
			Await.until("the check when the worker begins to listen", () -> checks.get() == 2);
			statement.execute("notify mailroom_stop");
			Await.until("the announced check", () -> checks.get() == 3);
		}
		finally {
			rings.dispose();
			this.loops.stop();
		}
	}

	/** The connections without the features that use them. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ R2dbcAutoConfiguration.class, R2dbcTransactionManagerAutoConfiguration.class })
	@ComponentScan("dev.mailroom.database")
	@ConfigurationPropertiesScan("dev.mailroom.database")
	@Import({ DispatcherLock.class, LoopHealth.class, AnnouncedWork.class })
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
