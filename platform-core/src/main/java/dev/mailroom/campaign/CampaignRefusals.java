package dev.mailroom.campaign;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.mail.draft.Mailbox;

/** Refusals of the campaign feature, one per error row of the contract. */
final class CampaignRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Campaign not found");

	static final Refusal FROM_MISMATCH = Refusal.forbidden("From domain mismatch");

	static final Refusal NOT_RUNNING = Refusal.invalid("Can only pause running campaigns");

	static final Refusal NOT_PAUSED = Refusal.invalid("Can only resume paused campaigns");

	static final Refusal NOT_DRAFT = Refusal.invalid("Can only start draft campaigns");

	static final Refusal NOT_SCHEDULABLE = Refusal.invalid("Can only schedule draft or paused campaigns");

	static final Refusal NOT_SCHEDULED = Refusal.invalid("Can only unschedule scheduled campaigns");

	static final Refusal NOT_EDITABLE = Refusal.invalid("Can only edit draft or scheduled campaigns");

	static final Refusal RUNNING = Refusal.invalid("Can only delete campaigns that are not running");

	static final Refusal FROZEN = Refusal.invalid("Can only rename or move campaigns that have started");

	static final Refusal EMPTY = Refusal.invalid("Contact book is empty");

	private CampaignRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no campaign " + id);
	}

	static Refused fromMismatch(Mailbox from) {
		return FROM_MISMATCH
			.because("from must be an address of one of the account's verified domains, and is " + from);
	}

	static Refused frozen(UUID id) {
		return FROZEN.because("The content and the recipients of campaign " + id + " were fixed when it first ran");
	}

	static Refused empty() {
		return EMPTY.because("The campaign's contact book has no subscribed contact: add contacts first");
	}

}
