package dev.mailroom.admin.email;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.campaign.CampaignPreview;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.inbound.InboundEmails;
import dev.mailroom.mail.log.Emails;
import dev.mailroom.mail.log.MailDetails;
import dev.mailroom.template.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The HTML of previews. */
@Component
class PreviewContent {

	private final Emails emails;

	private final MailDetails details;

	private final Templates templates;

	private final Campaigns campaigns;

	private final InboundEmails inbound;

	PreviewContent(Emails emails, MailDetails details, Templates templates, Campaigns campaigns,
			InboundEmails inbound) {
		this.emails = emails;
		this.details = details;
		this.templates = templates;
		this.campaigns = campaigns;
		this.inbound = inbound;
	}

	/**
	 * The HTML of an object of the account, that of a campaign for a sample contact;
	 * blank if it has none, empty for a draft, which is not stored, and for downloads.
	 * @throws dev.mailroom.Refused the error of a missing object of this kind
	 */
	Mono<String> find(Scope scope, PreviewToken.Kind kind, UUID id) {
		return switch (kind) {
			case EMAIL -> this.emails.requireVisible(scope, id)
				.then(this.details.content(scope, id).map((content) -> text(content.html())).defaultIfEmpty(""));
			case TEMPLATE -> this.templates.find(scope, id).map((template) -> text(template.htmlContent()));
			case CAMPAIGN ->
				this.campaigns.find(scope, id).map((campaign) -> text(CampaignPreview.of(campaign).html()));
			case INBOUND_EMAIL -> this.inbound.find(scope, id).map((mail) -> text(mail.text().html()));
			case INBOUND_SOURCE, INBOUND_FILE, DRAFT -> Mono.empty();
		};
	}

	private static String text(@Nullable String html) {
		return (html != null) ? html : "";
	}

}
