package dev.mailroom.observability;

import java.util.function.BooleanSupplier;

import dev.mailroom.Await;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class DatabaseHealthTest {

	@Test
	void theDatabaseIsUpWithTheSchemaOfTheRelease() {
		assertHealth(TestDatabase.URL, Status.UP, () -> true);
	}

	@Test
	void theDatabaseIsDownWithAnOlderSchemaAndOnlyTheLogNamesTheCause(CapturedOutput output) {
		TestDatabase.execute("postgres", "create database older");
		TestDatabase.execute("older", "create table flyway_schema_history (version text, success boolean);"
				+ "insert into flyway_schema_history values ('1', true); grant select on flyway_schema_history to mailroom");
		assertHealth(TestDatabase.URL.replace("/mailroom", "/older"), Status.DOWN, () -> output.toString()
			.contains("Not ready: The database's schema has version 1 and this release needs"));
	}

	@Test
	void anUnreachableDatabaseIsDownWithinTheTimeout() {
		assertHealth("postgresql://localhost:1/nowhere", Status.DOWN, () -> true);
	}

	private static void assertHealth(String url, Status status, BooleanSupplier logged) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(WithCore.Features.class)
			.web(WebApplicationType.NONE)
			.run("--spring.r2dbc.url=r2dbc:" + url, "--spring.r2dbc.username=" + TestDatabase.APP,
					"--spring.r2dbc.password=" + TestDatabase.PASSWORD, "--mailroom.log-format=plain",
					"--mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=")) {
			DatabaseHealth health = context.getBean("database", DatabaseHealth.class);
			// A busy machine may exceed the indicator's own timeout at first.
			Await.until("the database is " + status,
					() -> Await.await(health.health()).equals(Health.status(status).build()) && logged.getAsBoolean());
		}
	}

}
