package dev.mailroom.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PostgresServerTest {

	@TempDir
	private Path temporary;

	/** A password that cannot be read ends the start before the roles are created. */
	@Test
	void aPasswordIsRequiredFromTheFirstStartOfTheServer() throws Exception {
		DataDirectory data = new DataDirectory(this.temporary);
		Files.createDirectories(data.secrets().resolve("postgres-owner"));
		int port = FreePorts.settle(Map.of(Port.POSTGRES, 0)).of(Port.POSTGRES);
		try (PostgresServer server = new PostgresServer(data, new Secrets(data.secrets()), port)) {
			assertThatExceptionOfType(IOException.class).isThrownBy(server::start).withMessageContaining("directory");
			String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> DriverManager.getConnection(url, "postgres", "a guess").close())
				.returns("28P01", SQLException::getSQLState);
		}
	}

}
