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

	private static final Map<CampaignAction, Set<CampaignStatus>> PERMITTED = Map.of(CampaignAction.EDIT,
			Set.of(CampaignStatus.DRAFT, CampaignStatus.SCHEDULED), CampaignAction.SCHEDULE,
			Set.of(CampaignStatus.DRAFT, CampaignStatus.PAUSED), CampaignAction.UNSCHEDULE,
			Set.of(CampaignStatus.SCHEDULED), CampaignAction.START, Set.of(CampaignStatus.DRAFT), CampaignAction.PAUSE,
			Set.of(CampaignStatus.RUNNING), CampaignAction.RESUME, Set.of(CampaignStatus.PAUSED), CampaignAction.DELETE,
			Set.of(CampaignStatus.DRAFT, CampaignStatus.SCHEDULED, CampaignStatus.PAUSED, CampaignStatus.SENT));

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void eachActionIsPermittedInItsStatesOnly(CampaignAction action) {
		for (CampaignStatus status : CampaignStatus.values()) {
			assertThat(action.isPermittedIn(status)).as("%s of %s", action, status)
				.isEqualTo(PERMITTED.get(action).contains(status));
		}
	}

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void theRefusalNamesTheStateOfTheCampaign(CampaignAction action) {
		Refused refused = action.refused(UUID.randomUUID(), CampaignStatus.SENT);
		assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
		assertThat(refused.refusal().error()).startsWith("Can only ");
		assertThat(refused.message()).endsWith("is sent");
	}

	@Test
	void onlyTheContractsNamesAreStatuses() {
		for (CampaignStatus status : CampaignStatus.values()) {
			assertThat(CampaignStatus.of(status.contractName())).contains(status);
		}
		assertThat(CampaignStatus.of("Draft")).isEmpty();
		assertThat(CampaignStatus.of("")).isEmpty();
	}

}
