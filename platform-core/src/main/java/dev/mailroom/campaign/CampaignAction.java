package dev.mailroom.campaign;

import java.util.Set;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

import static dev.mailroom.campaign.CampaignStatus.DRAFT;
import static dev.mailroom.campaign.CampaignStatus.PAUSED;
import static dev.mailroom.campaign.CampaignStatus.RUNNING;
import static dev.mailroom.campaign.CampaignStatus.SCHEDULED;
import static dev.mailroom.campaign.CampaignStatus.SENT;

/** Actions of an owner on a campaign, each with the states that permit it. */
enum CampaignAction {

	EDIT(CampaignRefusals.NOT_EDITABLE, DRAFT, SCHEDULED),

	SCHEDULE(CampaignRefusals.NOT_SCHEDULABLE, DRAFT, PAUSED),

	UNSCHEDULE(CampaignRefusals.NOT_SCHEDULED, SCHEDULED),

	START(CampaignRefusals.NOT_DRAFT, DRAFT),

	PAUSE(CampaignRefusals.NOT_RUNNING, RUNNING),

	RESUME(CampaignRefusals.NOT_PAUSED, PAUSED),

	DELETE(CampaignRefusals.RUNNING, DRAFT, SCHEDULED, PAUSED, SENT);

	private final Refusal refusal;

	private final Set<CampaignStatus> permitted;

	CampaignAction(Refusal refusal, CampaignStatus... permitted) {
		this.refusal = refusal;
		this.permitted = Set.of(permitted);
	}

	boolean isPermittedIn(CampaignStatus status) {
		return this.permitted.contains(status);
	}

	/** The refusal for a campaign in a state that does not permit the action. */
	Refused refused(UUID id, CampaignStatus status) {
		return this.refusal.because("Campaign " + id + " is " + status.contractName());
	}

	/** The states that permit the action, as the status column spells them. */
	String[] from() {
		return this.permitted.stream().map(CampaignStatus::contractName).toArray(String[]::new);
	}

}
