package dev.mailroom.admin.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.campaign.CampaignStatus;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.template.BlockDocuments;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.ArgumentValue;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Campaigns: lists, edits and deletion. */
@Controller
class CampaignResolver {

	private final Campaigns campaigns;

	private final CampaignResults results;

	private final BlockDocuments blocks;

	CampaignResolver(Campaigns campaigns, CampaignResults results, BlockDocuments blocks) {
		this.campaigns = campaigns;
		this.results = results;
		this.blocks = blocks;
	}

	@SchemaMapping
	Mono<Connection<Campaign.Listed>> campaigns(Viewer viewer, PageArguments page,
			@Argument @Nullable CampaignStatus status, @Argument @Nullable String search) {
		Campaign.Filter filter = Campaign.Filter.of(status, search);
		return Connection.byPosition(page, (request) -> this.campaigns.read(viewer.scope(), filter, request));
	}

	@SchemaMapping
	Mono<Campaign> campaign(Viewer viewer, @Argument UUID id) {
		return this.campaigns.find(viewer.scope(), id);
	}

	@SchemaMapping
	Mono<Campaign.Audience> campaignAudience(Viewer viewer, @Argument UUID contactBookId,
			@Argument @Nullable Map<String, Object> filter) {
		return this.results.audience(viewer.scope(), contactBookId, filter);
	}

	@SchemaMapping
	Mono<List<CampaignResults.Point>> series(Campaign campaign, @Argument CampaignResults.Interval interval) {
		return this.results.series(Scope.of(campaign.accountId()), campaign.id(), interval);
	}

	@SchemaMapping
	Mono<List<CampaignResults.Link>> links(Campaign campaign) {
		return this.results.links(Scope.of(campaign.accountId()), campaign.id());
	}

	@SchemaMapping
	Mono<Map<String, Object>> blocks(Campaign campaign) {
		return this.blocks.find(Scope.of(campaign.accountId()), BlockDocuments.Owner.CAMPAIGN, campaign.id(),
				campaign.htmlContent());
	}

	@MutationMapping
	Mono<Map<String, Object>> createCampaign(Scope scope, @Argument CreateCampaignInput input) {
		return Payload.of("campaign", saved(scope, input.blocks(), this.campaigns.create(scope, input.form())));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateCampaign(Scope scope, @Argument UpdateCampaignInput input) {
		return Payload.of("campaign",
				saved(scope, input.blocks(), this.campaigns.update(scope, input.id(), input::applyTo)));
	}

	/** The saved campaign, with the blocks from which its HTML was written. */
	private Mono<Campaign> saved(Scope scope, @Nullable Map<String, Object> document, Mono<Campaign> campaign) {
		return Mono.fromRunnable(() -> this.blocks.check(document))
			.then(campaign)
			.delayUntil((it) -> (document == null) ? Mono.empty()
					: this.blocks.save(scope, BlockDocuments.Owner.CAMPAIGN, it.id(), document, it.htmlContent()));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteCampaign(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.campaigns.delete(scope, id).thenReturn(id));
	}

	/** A campaign to create. */
	record CreateCampaignInput(String name, String from, @Nullable List<@Nullable String> replyTo, String subject,
			UUID contactBookId, @Nullable UUID templateId, @Nullable String htmlContent, @Nullable String textContent,
			@Nullable Instant sendAt, @Nullable Map<String, Object> filter, @Nullable Integer pace,
			@Nullable Map<String, Object> blocks) {

		Campaign.Form form() {
			return new Campaign.Form(this.name, this.from, this.replyTo, this.subject, this.contactBookId,
					this.templateId, this.htmlContent, this.textContent,
					(this.sendAt != null) ? this.sendAt.toString() : null, this.filter, this.pace);
		}

	}

	/**
	 * Changes of a campaign. An absent field stays, null removes it. A template replaces
	 * the campaign's own content, and the reverse.
	 */
	record UpdateCampaignInput(UUID id, ArgumentValue<String> name, ArgumentValue<String> from,
			ArgumentValue<List<@Nullable String>> replyTo, ArgumentValue<String> subject,
			ArgumentValue<UUID> contactBookId, ArgumentValue<UUID> templateId, ArgumentValue<String> htmlContent,
			ArgumentValue<String> textContent, ArgumentValue<Instant> sendAt, ArgumentValue<Map<String, Object>> filter,
			ArgumentValue<Integer> pace, @Nullable Map<String, Object> blocks) {

		Campaign.Form applyTo(Campaign.Form before) {
			boolean hasContent = this.htmlContent.isPresent() || this.textContent.isPresent();
			boolean hasTemplate = this.templateId.isPresent();
			@Nullable Instant at = this.sendAt.isOmitted() ? null : this.sendAt.value();
			return new Campaign.Form(changed(this.name, before.name()), changed(this.from, before.from()),
					changed(this.replyTo, before.replyTo()), changed(this.subject, before.subject()),
					changed(this.contactBookId, before.contactBookId()),
					changed(this.templateId, hasContent ? null : before.templateId()),
					changed(this.htmlContent, hasTemplate ? null : before.htmlContent()),
					changed(this.textContent, hasTemplate ? null : before.textContent()),
					this.sendAt.isOmitted() ? before.sendAt() : (at != null) ? at.toString() : null,
					changed(this.filter, before.filter()), changed(this.pace, before.pace()));
		}

		private static <T> @Nullable T changed(ArgumentValue<T> change, @Nullable T before) {
			return change.isOmitted() ? before : change.value();
		}

	}

}
