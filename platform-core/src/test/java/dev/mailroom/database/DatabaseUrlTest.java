package dev.mailroom.database;

import java.util.List;
import java.util.Map;

import com.google.common.net.HostAndPort;
import dev.mailroom.WrongSetting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

class DatabaseUrlTest {

	private static final DatabaseUrl.Login LOGIN = new DatabaseUrl.Login("ann", "secret");

	@ParameterizedTest
	@CsvSource({ "sslmode, sslrootcert", "sslMode, sslRootCert" })
	void bothDriversGetTheParametersInEitherSpelling(String mode, String certificate) {
		DatabaseUrl url = DatabaseUrl
			.parse("postgresql://db.example:6432/mail?%s=verify-full&%s=/etc/ca%%20x.pem".formatted(mode, certificate));
		assertThat(url.jdbc()).singleElement(STRING)
			.startsWith("jdbc:postgresql://db.example:6432/mail?")
			.contains("sslmode=verify-full", "sslrootcert=%2Fetc%2Fca+x.pem");
		assertThat(url.r2dbc(LOGIN).toString()).contains("sslMode=verify-full", "sslRootCert=/etc/ca x.pem",
				"host=db.example", "port=6432", "database=mail", "user=ann");
	}

	@Test
	void eachOfSeveralHostsHasTheParameters() {
		DatabaseUrl url = DatabaseUrl.parse("postgresql://db-1,db-2:6432,[fd00::3]:7432/mail?sslmode=require");
		assertThat(url.jdbc()).containsExactly("jdbc:postgresql://db-1:5432/mail?sslmode=require",
				"jdbc:postgresql://db-2:6432/mail?sslmode=require",
				"jdbc:postgresql://[fd00::3]:7432/mail?sslmode=require");
		assertThat(url.r2dbc(LOGIN)).hasSize(3)
			.allSatisfy((host) -> assertThat(host.toString()).contains("sslMode=require", "database=mail"))
			.last()
			.satisfies((host) -> assertThat(host.toString()).contains("host=fd00::3", "port=7432"));
	}

	@Test
	void withoutAModeTlsIsUsedIfTheServerOffersIt() {
		assertThat(DatabaseUrl.parse("r2dbc:postgresql://[::1]/mail")).isEqualTo(
				new DatabaseUrl(List.of(HostAndPort.fromParts("::1", 5432)), "mail", Map.of("sslmode", "prefer")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			mysql://db/mail;                                    It must be postgresql://host:port/name
			postgresql:///mail;                                 It must be postgresql://host:port/name
			postgresql://db;                                    It must be postgresql://host:port/name
			postgresql://db,/mail;                              It must be postgresql://host:port/name
			postgresql://db:1,db:x/mail;                        It must be postgresql://host:port/name
			postgresql://db:99999/mail;                         It must be postgresql://host:port/name
			postgresql://ann:secret@db/mail;                    neither a user nor a password
			postgresql://db/mail?sslmode=verify_full;           sslmode must be one of
			postgresql://db/mail?sslmode=verify-full;           need sslrootcert
			postgresql://db/mail?sslmode=require&sslrootcert=x; need sslrootcert
			postgresql://db/mail?sslpassword=x;                 the parameter sslpassword
			postgresql://db/mail?sslmode=require&sslcert=x;     need each other
			postgresql://db/mail?sslmode=require&sslkey=x;      need each other
			postgresql://db/mail?sslcert=x&sslkey=y;            sslcert needs sslmode
			postgresql://db/mail?sslmode=require&sslcert=x&sslkey=y.p12; sslkey must be a file in PEM
			""")
	void aUrlOfWhichAPartWouldBeIgnoredIsRefusedWithoutItsPassword(String url, String reason) {
		assertThatExceptionOfType(WrongSetting.class).isThrownBy(() -> DatabaseUrl.parse(url))
			.withMessageStartingWith("MAILROOM_DB_URL is ")
			.withMessageContaining(reason)
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining("secret"));
	}

}
