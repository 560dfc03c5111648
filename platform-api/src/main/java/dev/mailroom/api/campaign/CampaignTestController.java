package dev.mailroom.api.campaign;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.email.TestSends;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignPreview;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.contact.Contacts;
import dev.mailroom.submission.Senders;
import dev.mailroom.template.Content;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sends a campaign as a test mail. A single recipient who is a subscribed contact of the
 * campaign's book gets a working unsubscribe link, as in the campaign itself.
 */
@RestController
class CampaignTestController {

	private final Campaigns campaigns;

	private final Senders senders;

	private final TestSends trials;

	private final Contacts contacts;

	private final Links links;

	CampaignTestController(Campaigns campaigns, Senders senders, TestSends trials, Contacts contacts, Links links) {
		this.campaigns = campaigns;
		this.contacts = contacts;
		this.links = links;
		this.senders = senders;
		this.trials = trials;
	}

	@PostMapping("/campaigns/{id}/test")
	Mono<ResponseEntity<Object>> test(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key,
			@RequestBody TestCampaign body) {
		return this.campaigns.find(scope, id)
			.flatMap((campaign) -> this.senders.choose(scope, campaign.sender())
				.flatMap((sender) -> send(scope, sender, key, campaign, body)));
	}

	private Mono<ResponseEntity<Object>> send(Scope scope, Senders.Sender sender, @Nullable IdempotencyKey key,
			Campaign campaign, TestCampaign body) {
		return Mono.justOrEmpty(body.singleRecipient())
			.flatMap((address) -> this.contacts.subscribed(scope, campaign.contactBookId(), address))
			.map((contact) -> new TestMail(contact,
					CampaignPreview.of(campaign, this.links.wayOut(scope.account(), contact))))
			.switchIfEmpty(Mono.fromSupplier(() -> new TestMail(null, CampaignPreview.of(campaign))))
			.flatMap((mail) -> this.trials.send(sender, key, body.submission(sender.from(), campaign, mail.rendered()),
					mail.contact()));
	}

	private record TestMail(@Nullable UUID contact, Content.Rendered rendered) {
	}

}
