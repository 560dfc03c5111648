package dev.mailroom.campaign;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class CampaignActionTest {

	private static final Map<CampaignAction, Set<Status>> PERMITTED = Map.of(CampaignAction.EDIT,
			Set.of(Status.DRAFT, Status.SCHEDULED), CampaignAction.SCHEDULE, Set.of(Status.DRAFT, Status.PAUSED),
			CampaignAction.UNSCHEDULE, Set.of(Status.SCHEDULED), CampaignAction.START, Set.of(Status.DRAFT),
			CampaignAction.PAUSE, Set.of(Status.RUNNING), CampaignAction.RESUME, Set.of(Status.PAUSED),
			CampaignAction.DELETE, Set.of(Status.DRAFT, Status.SCHEDULED, Status.PAUSED, Status.SENT));

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void eachActionIsPermittedInItsStatesOnly(CampaignAction action) {
		for (Status status : Status.values()) {
			assertThat(action.isPermittedIn(status)).as("%s of %s", action, status)
				.isEqualTo(PERMITTED.get(action).contains(status));
		}
	}

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void theRefusalNamesTheStateOfTheCampaign(CampaignAction action) {
		Refused refused = action.refused(UUID.randomUUID(), Status.SENT);
		assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
		assertThat(refused.refusal().error()).startsWith("Can only ");
		assertThat(refused.message()).endsWith("is sent");
	}

	@Test
	void onlyTheContractsNamesAreStatuses() {
		for (Status status : Status.values()) {
			assertThat(Status.of(status.wire())).contains(status);
		}
		assertThat(Status.of("Draft")).isEmpty();
		assertThat(Status.of("")).isEmpty();
	}

}
