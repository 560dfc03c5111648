package dev.mailroom.admin.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.admin.email.SentMails;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignPreview;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.contact.Contacts;
import dev.mailroom.mail.accept.TestSends;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.template.Content;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

/** Transitions of campaigns, and tests. */
@Controller
class CampaignActionResolver {

	private final Campaigns campaigns;

	private final TestSends sends;

	private final Contacts contacts;

	private final Links links;

	private final SentMails sent;

	CampaignActionResolver(Campaigns campaigns, TestSends sends, Contacts contacts, Links links, SentMails sent) {
		this.campaigns = campaigns;
		this.sends = sends;
		this.contacts = contacts;
		this.links = links;
		this.sent = sent;
	}

	@MutationMapping
	Mono<Map<String, Object>> scheduleCampaign(Scope scope, @Argument ScheduleCampaignInput input) {
		return payload(this.campaigns.schedule(scope, input.id(), input.sendAt().toString()));
	}

	@MutationMapping
	Mono<Map<String, Object>> unscheduleCampaign(Scope scope, @Argument UUID id) {
		return payload(this.campaigns.unschedule(scope, id));
	}

	/**
	 * Starts a draft at once, or after a time in which its author may take it back. The
	 * time is that of this server, because the clock of the browser may be wrong.
	 */
	@MutationMapping
	Mono<Map<String, Object>> startCampaign(Scope scope, @Argument UUID id, @Argument @Nullable Integer delaySeconds) {
		return payload((delaySeconds == null || delaySeconds == 0) ? this.campaigns.start(scope, id)
				: this.campaigns.startAfter(scope, id, Duration.ofSeconds(delaySeconds)));
	}

	@MutationMapping
	Mono<Map<String, Object>> pauseCampaign(Scope scope, @Argument UUID id) {
		return payload(this.campaigns.pause(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> resumeCampaign(Scope scope, @Argument UUID id) {
		return payload(this.campaigns.resume(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> sendCampaignTest(Scope scope, @Argument SendCampaignTestInput input) {
		return this.sent.payload(scope,
				this.campaigns.find(scope, input.id())
					.flatMap((campaign) -> mail(scope, campaign, input))
					.flatMap((mail) -> this.sends.send(scope, mail, null)));
	}

	/** A contact of the book as the only recipient gets its unsubscribe link. */
	private Mono<Submission> mail(Scope scope, Campaign campaign, SendCampaignTestInput input) {
		return Mono.justOrEmpty(input.onlyRecipient())
			.flatMap((address) -> this.contacts.subscribed(scope, campaign.contactBookId(), address))
			.map((contact) -> input
				.submission(campaign, CampaignPreview.of(campaign, this.links.unsubscribeUrl(scope.account(), contact)))
				.withContact(contact))
			.switchIfEmpty(Mono.fromSupplier(() -> input.submission(campaign, CampaignPreview.of(campaign))));
	}

	private static Mono<Map<String, Object>> payload(Mono<Campaign> campaign) {
		return Payload.of("campaign", campaign);
	}

	/** A time of a campaign. */
	record ScheduleCampaignInput(UUID id, Instant sendAt) {
	}

	/** A test of a campaign. */
	record SendCampaignTestInput(UUID id, List<@Nullable String> to) {

		Optional<EmailAddress> onlyRecipient() {
			@Nullable String only = (this.to.size() == 1) ? this.to.getFirst() : null;
			return Optional.ofNullable(only).flatMap(Mailbox::parse).map(Mailbox::address);
		}

		Submission submission(Campaign campaign, Content.Rendered rendered) {
			return Submission
				.of(campaign.sender(), this.to, MailContent.of(rendered.subject(), rendered.html(), rendered.text()))
				.withReplyTo(List.copyOf(campaign.replyTo()));
		}

	}

}
