package dev.mailroom.campaign;

import java.util.Set;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

import static dev.mailroom.campaign.Status.DRAFT;
import static dev.mailroom.campaign.Status.PAUSED;
import static dev.mailroom.campaign.Status.RUNNING;
import static dev.mailroom.campaign.Status.SCHEDULED;
import static dev.mailroom.campaign.Status.SENT;

/** What a person may do to a campaign, and in which states: the whole rule. */
enum CampaignAction {

	EDIT(CampaignRefusals.NOT_EDITABLE, DRAFT, SCHEDULED),

	SCHEDULE(CampaignRefusals.NOT_SCHEDULABLE, DRAFT, PAUSED),

	UNSCHEDULE(CampaignRefusals.NOT_SCHEDULED, SCHEDULED),

	START(CampaignRefusals.NOT_DRAFT, DRAFT),

	PAUSE(CampaignRefusals.NOT_RUNNING, RUNNING),

	RESUME(CampaignRefusals.NOT_PAUSED, PAUSED),

	DELETE(CampaignRefusals.RUNNING, DRAFT, SCHEDULED, PAUSED, SENT);

	private final Refusal refusal;

	private final Set<Status> from;

	CampaignAction(Refusal refusal, Status... from) {
		this.refusal = refusal;
		this.from = Set.of(from);
	}

	/** Whether it may be done to a campaign that stands here. */
	boolean fits(Status status) {
		return this.from.contains(status);
	}

	/** What a campaign that stands elsewhere is answered. */
	Refused refused(UUID id, Status status) {
		return this.refusal.because("Campaign " + id + " is " + status.wire());
	}

	/** Where it may be done, as the column has it. */
	String[] from() {
		return this.from.stream().map(Status::wire).toArray(String[]::new);
	}

}
