package dev.mailroom.api.campaign;

import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.campaign.Campaign;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of PATCH /campaigns/:id. An absent field stays, null removes it. A template
 * replaces the campaign's own content, and the reverse.
 */
record UpdateCampaign(@Nullable JsonNode name, @Nullable JsonNode from, @Nullable JsonNode subject,
		@Nullable JsonNode contactBookId, @Nullable JsonNode templateId, @Nullable JsonNode htmlContent,
		@Nullable JsonNode textContent, @Nullable JsonNode replyTo, @JsonAlias( {
				"sendAt", "scheduled_at", "scheduledAt" }) @Nullable JsonNode sendAt,
		@Nullable JsonNode filter, @Nullable JsonNode pace){

	Campaign.Form applyTo(Campaign.Form before) {
		boolean hasContent = isPresent(this.htmlContent) || isPresent(this.textContent);
		boolean hasTemplate = isPresent(this.templateId);
		return new Campaign.Form(CampaignFields.text("name", this.name, before.name()),
				CampaignFields.text("from", this.from, before.from()),
				CampaignFields.texts("reply_to", this.replyTo, before.replyTo()),
				CampaignFields.text("subject", this.subject, before.subject()),
				id("contact_book_id", this.contactBookId, before.contactBookId()),
				id("template_id", this.templateId, hasContent ? null : before.templateId()),
				CampaignFields.text("html_content", this.htmlContent, hasTemplate ? null : before.htmlContent()),
				CampaignFields.text("text_content", this.textContent, hasTemplate ? null : before.textContent()),
				CampaignFields.text("send_at", this.sendAt, before.sendAt()),
				CampaignFields.filter(this.filter, before.filter()),
				CampaignFields.number("pace", this.pace, before.pace()));
	}

	private static @Nullable UUID id(String field, @Nullable JsonNode change, @Nullable UUID before) {
		return (change == null) ? before : CampaignFields.id(field, CampaignFields.text(field, change, null));
	}

	private static boolean isPresent(@Nullable JsonNode node) {
		return node != null && !node.isNull();
	}
}
