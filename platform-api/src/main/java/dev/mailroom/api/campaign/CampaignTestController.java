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
 * Sends a campaign's mail to whoever wants to see it before its contacts do. Who is one
 * of them, and gets it alone, gets it as a contact does: with the way out of the book.
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
	Mono<ResponseEntity<Object>> test(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed,
			@RequestBody TestCampaign body) {
		return this.campaigns.find(scope, id)
			.flatMap((campaign) -> this.senders.choose(scope, campaign.sender())
				.flatMap((sender) -> send(scope, sender, keyed, campaign, body)));
	}

	private Mono<ResponseEntity<Object>> send(Scope scope, Senders.Sender sender, @Nullable IdempotencyKey keyed,
			Campaign campaign, TestCampaign body) {
		return Mono.justOrEmpty(body.alone())
			.flatMap((address) -> this.contacts.subscribed(scope, campaign.contactBookId(), address))
			.map((contact) -> new Tried(contact,
					CampaignPreview.of(campaign, this.links.wayOut(scope.account(), contact))))
			.switchIfEmpty(Mono.fromSupplier(() -> new Tried(null, CampaignPreview.of(campaign))))
			.flatMap((tried) -> this.trials.send(sender, keyed,
					body.submission(sender.from(), campaign, tried.rendered()), tried.contact()));
	}

	private record Tried(@Nullable UUID contact, Content.Rendered rendered) {
	}

}
