package dev.mailroom.tlspolicy;

import java.time.Duration;
import java.time.Instant;

import dev.mailroom.tlspolicy.StsPolicy.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StsPolicyTest {

	private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");

	private static StsPolicy parse(String text) {
		return StsPolicy.parse("a", text, NOW);
	}

	@ParameterizedTest
	@CsvSource({ "a.mx.test, true", "A.MX.TEST, true", "mx.test, false", "a.b.mx.test, false", "exact.test, true",
			"a.exact.test, false", "amx.test, false" })
	void aPatternMatchesOneLabel(String host, boolean permitted) {
		StsPolicy policy = parse("version: STSv1\nmode: enforce\nmx: *.mx.test\nmx: Exact.test\nmax_age: 60\n");
		assertThat(policy.permits(host)).isEqualTo(permitted);
	}

	@Test
	void linesAndKeysAreReadTolerantly() {
		StsPolicy policy = parse(
				"version:STSv1\r\nmode: testing\r\nmode: enforce\r\nnew: x\r\nmx: a.test\r\nmax_age: 9999999999");
		assertThat(policy.mode()).isEqualTo(Mode.TESTING);
		assertThat(policy.maxAge()).isEqualTo(Duration.ofHours(8766));
		assertThat(parse("version: STSv1\nmode: none\nmax_age: 0\n").mx()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "<html>", "version: STSv2\nmode: none\nmax_age: 1", "version: STSv1\nmax_age: 1",
			"version: STSv1\nmode: enforce\nmax_age: 1", "version: STSv1\nmode: enforce\nmx: a.test",
			"version: STSv1\nmode: enforce\nmx: a.*.test\nmax_age: 1",
			"version: STSv1\nmode: enforce\nmx: a.test\nmax_age: -1" })
	void otherTextsAreNoPolicy(String text) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> parse(text));
	}

	@Test
	void aPolicyIsFetchedAgainAfterHalfOfItsTimeOrADay() {
		StsPolicy week = parse("version: STSv1\nmode: none\nmax_age: 604800\n");
		assertThat(week.isRefreshDue(NOW.plus(Duration.ofHours(23)))).isFalse();
		assertThat(week.isRefreshDue(NOW.plus(Duration.ofDays(1)))).isTrue();
		StsPolicy hour = parse("version: STSv1\nmode: none\nmax_age: 3600\n");
		assertThat(hour.isRefreshDue(NOW.plus(Duration.ofMinutes(30)))).isTrue();
		assertThat(hour.isValid(NOW.plus(Duration.ofMinutes(59)))).isTrue();
		assertThat(hour.isValid(NOW.plus(Duration.ofHours(1)))).isFalse();
	}

}
