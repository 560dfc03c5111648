package dev.mailroom.api.campaign;

import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonFormat;
import dev.mailroom.campaign.Campaign;
import org.jspecify.annotations.Nullable;

/**
 * The body of POST /campaigns.
 *
 * @param templateId in place of htmlContent and textContent
 * @param sendAt when it starts by itself; a draft where there is none
 */
record CreateCampaign(@Nullable String name, @Nullable String from, @Nullable String subject,
		@Nullable String contactBookId, @Nullable String templateId, @Nullable String htmlContent,
		@Nullable String textContent,
		@JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable String> replyTo,
		@JsonAlias( {
				"sendAt", "scheduled_at", "scheduledAt" }) @Nullable String sendAt){

	Campaign.Asked asked() {
		@Nullable UUID book = CampaignFields.id("contact_book_id", this.contactBookId);
		@Nullable UUID template = CampaignFields.id("template_id", this.templateId);
		return new Campaign.Asked(this.name, this.from, this.replyTo, this.subject, book, template, this.htmlContent,
				this.textContent, this.sendAt);
	}
}
