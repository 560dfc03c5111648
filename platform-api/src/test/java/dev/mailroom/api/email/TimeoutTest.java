package dev.mailroom.api.email;

import java.time.Duration;

import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class TimeoutTest {

	@Autowired
	DatabaseClient database;

	@Test
	void statementsAndLocksHaveTimeouts() {
		assertThat(setting("lock_timeout")).isEqualTo("5s");
		assertThat(setting("statement_timeout")).isEqualTo("30s");
	}

	private String setting(String name) {
		return this.database.sql("select current_setting('" + name + "')")
			.mapValue(String.class)
			.one()
			.block(Duration.ofSeconds(20));
	}

}
