package dev.mailroom.worker.webhook;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RetryAfterTest {

	private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "0, 0", "120, 120", "' 7 ', 7", "86400, 86400", "86401, 86400", "99999999999999, 86400", "-1, 0",
					"soon, 0", "1.5, 0", "'', 0", "-, 0", "'Sat, 21 Nov 2026 10:00:00 GMT', 1800",
					"'Sat, 21 Nov 2026 09:00:00 GMT', 0", "'Sat, 28 Nov 2026 10:00:00 GMT', 86400" })
	void secondsAndDatesAreReadUpToADay(@Nullable String header, long seconds) {
		assertThat(RetryAfter.read(header, NOW)).isEqualTo(Duration.ofSeconds(seconds));
	}

}
