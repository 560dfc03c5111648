package dev.mailroom.worker.send;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LeaseSettingsTest {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void aLeaseThatIsShorterThanAHandOverMayTakeIsRefused() {
		new LeaseSettings(MINUTE, Duration.ofMinutes(15)).check(Duration.ofSeconds(90), Duration.ofMinutes(13));
		LeaseSettings tooShort = new LeaseSettings(MINUTE, Duration.ofMinutes(14));
		assertThatThrownBy(() -> tooShort.check(Duration.ofSeconds(90), Duration.ofMinutes(13)))
			.isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("MAILROOM_DATA_LEASE is \"840s\", but it must be at least 870s");
	}

}
