package dev.mailroom.database;

import java.io.IOException;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@WithCore
@ExtendWith(OutputCaptureExtension.class)
class SchemaTest {

	@Autowired
	SchemaVersion version;

	@Autowired
	Durability durability;

	@Test
	void theRoleOfTheAppsReadsTheVersionOfTheSchema() {
		StepVerifier.create(this.version.state()).assertNext((schema) -> {
			assertThat(schema.older()).isFalse();
			assertThat(schema.installed()).isEqualTo(schema.needed());
		}).verifyComplete();
		StepVerifier.create(this.durability.check()).verifyComplete();
	}

	@Test
	void aSchemaWithoutTheNewestMigrationIsOlderAndANewerSchemaIsNot() {
		String newest = Given.rows("select version from flyway_schema_history order by installed_rank desc limit 1")
			.getFirst();
		TestDatabase.execute("postgres", "create database lagging");
		TestDatabase.execute("lagging",
				"create table flyway_schema_history (version text, success boolean); grant select on flyway_schema_history to mailroom");
		try (ConfigurableApplicationContext context = start(TestDatabase.URL.replace("/mailroom", "/lagging"),
				TestDatabase.APP)) {
			SchemaVersion lagging = context.getBean(SchemaVersion.class);
			StepVerifier.create(lagging.state().map(SchemaVersion.State::older)).expectNext(true).verifyComplete();
			TestDatabase.execute("lagging", "insert into flyway_schema_history values ('1', true), ('9.1', true)");
			StepVerifier.create(lagging.state())
				.expectNext(new SchemaVersion.State("9.1", newest, true))
				.verifyComplete();
			TestDatabase.execute("lagging", "insert into flyway_schema_history values ('" + newest + ".1', true)");
			StepVerifier.create(lagging.state().map(SchemaVersion.State::older)).expectNext(false).verifyComplete();
		}
	}

	@Test
	void aRoleWithAsynchronousCommitIsRefusedWithTheNameOfTheSetting(CapturedOutput output) {
		TestDatabase.execute("postgres", "create role lax login password '" + TestDatabase.PASSWORD + "'");
		TestDatabase.execute("postgres", "alter role lax set synchronous_commit = off");
		assertThatExceptionOfType(NotDurable.class).isThrownBy(() -> start(TestDatabase.URL, "lax").close())
			.withMessageContaining("because synchronous_commit is off: set synchronous_commit on");
		assertThat(output).contains("because synchronous_commit is off").doesNotContain("\tat dev.mailroom.database.");
	}

	@Test
	void aServerWithoutFsyncIsRefused() throws IOException {
		try (EmbeddedPostgres server = EmbeddedPostgres.builder()
			.setServerConfig("fsync", "off")
			.setServerConfig("full_page_writes", "off")
			.setServerConfig("synchronous_commit", "on")
			.start()) {
			assertThatExceptionOfType(NotDurable.class)
				.isThrownBy(() -> start("postgresql://localhost:" + server.getPort() + "/postgres", "postgres").close())
				.withMessageContaining("because fsync and full_page_writes are off");
		}
	}

	@Test
	void aServerThatWaitsForFewerStandbysThanRequiredIsRefused() throws IOException {
		try (EmbeddedPostgres server = EmbeddedPostgres.builder()
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("synchronous_standby_names", "a")
			.start()) {
			String url = "postgresql://localhost:" + server.getPort() + "/postgres";
			start(url, "postgres", "--mailroom.durability.sync-replicas=1").close();
			assertThatExceptionOfType(NotDurable.class)
				.isThrownBy(() -> start(url, "postgres", "--mailroom.durability.sync-replicas=2").close())
				.withMessageContaining("MAILROOM_DB_SYNC_REPLICAS is 2")
				.withMessageContaining("synchronous_standby_names = 'a'");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "''; 0", "*; 1", "a, b; 1", "2 (a, b); 2", "FIRST 3 (a); 3", "any 2(*); 2" })
	void aCommitWaitsForTheNumberOfStandbysInTheSetting(String names, int number) {
		assertThat(Durability.waitsFor(names)).isEqualTo(number);
	}

	@Test
	void anAppStartsWhileItsDatabaseIsUnreachable() {
		try (ConfigurableApplicationContext context = start("postgresql://localhost:1/nowhere", TestDatabase.APP)) {
			StepVerifier.create(context.getBean(SchemaVersion.class).state()).expectError().verify();
		}
	}

	private static ConfigurableApplicationContext start(String url, String role, String... settings) {
		String[] login = { "--spring.r2dbc.url=r2dbc:" + url, "--spring.r2dbc.username=" + role,
				"--spring.r2dbc.password=" + TestDatabase.PASSWORD,
				"--mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=" };
		return new SpringApplicationBuilder(WithCore.Features.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off")
			.run(Stream.of(login, settings).flatMap(Stream::of).toArray(String[]::new));
	}

}
