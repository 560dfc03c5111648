package dev.mailroom.campaign;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DueCampaignTest {

	private static final Duration MAX_LATENESS = Duration.ofHours(24);

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "86400001,true,-,true,true,false,more than 24 hours ago", "1,true,spam,true,true,false,spam",
					"1,false,-,true,true,false,address is not verified", "1,true,-,false,true,false,no longer verified",
					"1,true,-,true,false,false,no subscribed contact" })
	void aCampaignThatMayNotStartHasAReason(long latenessMillis, boolean accountVerified, String accountPausedReason,
			boolean domainVerified, boolean hasSubscribers, boolean started, String reason) {
		DueCampaign due = new DueCampaign(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), latenessMillis,
				started, accountVerified, accountPausedReason, domainVerified, hasSubscribers);
		assertThat(due.reasonToPause(MAX_LATENESS)).hasValueSatisfying((it) -> assertThat(it).contains(reason));
	}

	@ParameterizedTest
	@CsvSource({ "0,false,true", "86400000,false,true", "1,true,false" })
	void aCampaignMayStartUntilTheMaximumLateness(long latenessMillis, boolean started, boolean hasSubscribers) {
		assertThat(due(latenessMillis, started, hasSubscribers)).isEmpty();
	}

	@Test
	void theReasonOfAnAccountsPauseIsPassedOn() {
		assertThat(DueCampaign.accountPaused("spam")).isEqualTo("Sending is paused for this account: spam");
	}

	private static Optional<String> due(long latenessMillis, boolean started, boolean hasSubscribers) {
		return new DueCampaign(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), latenessMillis, started, true,
				null, true, hasSubscribers)
			.reasonToPause(MAX_LATENESS);
	}

}
