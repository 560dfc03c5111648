package dev.mailroom.api.campaign;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.mailroom.EmailAddress;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/** Body of POST /campaigns/:id/test. */
record TestCampaign(
		@JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable String> to) {

	/** The address of the only recipient; empty if there are several. */
	Optional<EmailAddress> onlyRecipient() {
		@Nullable String only = (this.to != null && this.to.size() == 1) ? this.to.getFirst() : null;
		return Optional.ofNullable(only).flatMap(Mailbox::parse).map(Mailbox::address);
	}

	Submission submission(Campaign campaign, Content.Rendered rendered) {
		MailContent content = MailContent.of(rendered.subject(), rendered.html(), rendered.text());
		return Submission.of(campaign.sender(), (this.to != null) ? this.to : List.of(), content)
			.withReplyTo(List.copyOf(campaign.replyTo()));
	}

}
