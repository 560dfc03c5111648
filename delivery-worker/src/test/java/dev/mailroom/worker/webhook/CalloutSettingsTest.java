package dev.mailroom.worker.webhook;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CalloutSettingsTest {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void aLeaseThatEndsBeforeAHangingEndpointIsGivenUpIsRefused() {
		new CalloutSettings(1, SECOND, Duration.ofSeconds(53), Duration.ofSeconds(60), null);
		assertThatThrownBy(() -> new CalloutSettings(1, SECOND, Duration.ofSeconds(54), Duration.ofSeconds(60), null))
			.isInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("MAILROOM_WEBHOOK_LEASE is 60 s, but the calls of a lease may take 61 s")
			.hasMessageContaining("MAILROOM_WEBHOOK_TIMEOUT (54 s)");
	}

}
