package dev.mailroom.api.campaign;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.Trial;
import dev.mailroom.email.Submission;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;

/** The body of POST /campaigns/:id/test. */
record TryCampaign(
		@JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable String> to) {

	Submission submission(String sender, Campaign campaign) {
		Content.Rendered rendered = Trial.of(campaign);
		return new Submission(sender, this.to, null, null, List.copyOf(campaign.replyTo()), rendered.subject(),
				rendered.html(), rendered.text(), null, null, null, null, null, null);
	}

}
