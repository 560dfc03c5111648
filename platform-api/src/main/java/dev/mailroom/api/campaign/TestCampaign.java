package dev.mailroom.api.campaign;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.mailroom.EmailAddress;
import dev.mailroom.accept.Mailbox;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.submission.Submission;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/** The body of POST /campaigns/:id/test. */
record TestCampaign(
		@JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable String> to) {

	/** The address of a single recipient; empty with several recipients. */
	Optional<EmailAddress> singleRecipient() {
		@Nullable String address = (this.to != null && this.to.size() == 1) ? this.to.getFirst() : null;
		return Optional.ofNullable(address).flatMap(Mailbox::parse).map(Mailbox::address);
	}

	Submission submission(String sender, Campaign campaign, Content.Rendered rendered) {
		return new Submission(sender, this.to, null, null, List.copyOf(campaign.replyTo()), rendered.subject(),
				rendered.html(), rendered.text(), null, null, null, null, null, null);
	}

}
