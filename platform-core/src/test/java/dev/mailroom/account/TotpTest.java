package dev.mailroom.account;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TotpTest {

	private static final byte[] SECRET = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

	/** RFC 6238, appendix B, for SHA-1. */
	@ParameterizedTest
	@CsvSource({ "59, 94287082", "1111111109, 07081804", "1111111111, 14050471", "1234567890, 89005924",
			"2000000000, 69279037", "20000000000, 65353130" })
	void codesEqualTheTestVectors(long second, String code) {
		assertThat(Totp.code(SECRET, second / 30, 8)).isEqualTo(code);
	}

	@Test
	void aCodeIsAcceptedOneStepEarlyAndLate() {
		Instant now = Instant.ofEpochSecond(59);
		String code = Totp.code(SECRET, 1, 6);
		assertThat(code).isEqualTo("287082");
		assertThat(Totp.step(SECRET, code, now)).hasValue(1);
		assertThat(Totp.step(SECRET, code, now.minusSeconds(30))).hasValue(1);
		assertThat(Totp.step(SECRET, code, now.plusSeconds(30))).hasValue(1);
		assertThat(Totp.step(SECRET, code, now.plusSeconds(31))).isEmpty();
		assertThat(Totp.step(SECRET, code, now.minusSeconds(60))).isEmpty();
		assertThat(Totp.step(SECRET, "", now)).isEmpty();
	}

}
