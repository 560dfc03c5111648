package dev.mailroom.admin.campaign;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.admin.template.ContentFindings;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignPreview;
import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.check.ContentFinding;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.Contacts;
import dev.mailroom.template.Content;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Campaigns as their recipients would get them. */
@Controller
class CampaignPreviewResolver {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final Campaigns campaigns;

	private final CampaignResults results;

	private final Contacts contacts;

	private final ContentFindings findings;

	CampaignPreviewResolver(Campaigns campaigns, CampaignResults results, Contacts contacts, ContentFindings findings) {
		this.campaigns = campaigns;
		this.results = results;
		this.contacts = contacts;
		this.findings = findings;
	}

	/** An operator who watches an account reads content with a reason instead. */
	@SchemaMapping
	Mono<Rendered> campaignPreview(Viewer viewer, Caller caller, @Argument UUID id, @Argument Recipient recipient,
			@Argument @Nullable UUID contactId) {
		if (!viewer.scope().account().equals(caller.scope().account())) {
			return Mono.error(FORBIDDEN.because("Only the account may see previews of its mail"));
		}
		return this.campaigns.find(viewer.scope(), id).flatMap((campaign) -> switch (recipient) {
			case SAMPLE -> Mono.just(Rendered.of(null, CampaignPreview.of(campaign)));
			case EMPTY -> Mono.just(Rendered.of(null, CampaignPreview.ofEmpty(campaign)));
			case NEXT, PREVIOUS -> beside(viewer, campaign, contactId, recipient == Recipient.PREVIOUS);
		});
	}

	@SchemaMapping
	Mono<List<ContentFinding>> findings(Campaign campaign) {
		return this.findings.of(Scope.of(campaign.accountId()), true, campaign.subject(), campaign.htmlContent(),
				campaign.textContent());
	}

	private Mono<Rendered> beside(Viewer viewer, Campaign campaign, @Nullable UUID from, boolean backwards) {
		return this.results.recipient(viewer.scope(), campaign, from, backwards)
			.flatMap((id) -> this.contacts.find(viewer.scope(), campaign.contactBookId(), id))
			.map((contact) -> Rendered.of(contact, CampaignPreview.of(campaign, contact)));
	}

	/** The recipient for whom a campaign is rendered. */
	enum Recipient {

		SAMPLE, EMPTY, NEXT, PREVIOUS

	}

	/** A rendered campaign; id and address are null for an invented contact. */
	record Rendered(@Nullable UUID contactId, @Nullable String email, String subject, @Nullable String html,
			@Nullable String text, List<String> missing) {

		static Rendered of(@Nullable Contact contact, Content.Rendered content) {
			return new Rendered((contact != null) ? contact.id() : null, (contact != null) ? contact.email() : null,
					String.valueOf(content.subject()), content.html(), content.text(), content.missing());
		}

	}

}
