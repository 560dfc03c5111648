package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PhaseTimesTest {

	@Test
	void theFirstMailOfASessionHasAllPhases() {
		assertThat(HandOverMeters.PhaseTimes.of("""
				0 to mx.test [192.0.2.1]
				30 S: 220 mx.test ESMTP
				31 C: EHLO us.test
				40 S: 250-mx.test STARTTLS
				41 C: STARTTLS
				50 S: 220 2.0.0 Ready
				90 C: EHLO us.test
				99 S: 250 mx.test
				100 C: MAIL FROM:<a@b.test>
				100 C: RCPT TO:<c@d.test>
				100 C: DATA
				110 S: 250 2.1.0 Ok
				111 S: 250 2.1.5 Ok
				112 S: 354 Go
				113 C: (the message, 500 bytes)
				613 S: 250 2.0.0 Ok
				""")).isEqualTo(Map.of(HandOverMeters.Phase.CONNECT, Duration.ofMillis(30), HandOverMeters.Phase.TLS,
				Duration.ofMillis(49), HandOverMeters.Phase.ENVELOPE, Duration.ofMillis(12), HandOverMeters.Phase.DATA,
				Duration.ofMillis(500)));
	}

	@Test
	void aPhaseThatDidNotEndHasNoTime() {
		assertThat(HandOverMeters.PhaseTimes.of("0 C: MAIL FROM:<a@b.test>\n5 S: 550 5.1.1 No such user\n")).isEmpty();
		assertThat(HandOverMeters.PhaseTimes.of("the simulator played a bounce\n")).isEmpty();
	}

}
