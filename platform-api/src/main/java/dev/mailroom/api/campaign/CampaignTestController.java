package dev.mailroom.api.campaign;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.email.SendResponses;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignPreview;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.contact.Contacts;
import dev.mailroom.mail.accept.TestSends;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sends a campaign's mail to chosen addresses as a test. If the only recipient is a
 * contact of the campaign's book, the mail has the contact's unsubscribe link.
 */
@RestController
class CampaignTestController {

	private final Campaigns campaigns;

	private final TestSends testSends;

	private final Contacts contacts;

	private final Links links;

	CampaignTestController(Campaigns campaigns, TestSends testSends, Contacts contacts, Links links) {
		this.campaigns = campaigns;
		this.testSends = testSends;
		this.contacts = contacts;
		this.links = links;
	}

	@PostMapping("/campaigns/{id}/test")
	Mono<ResponseEntity<Object>> test(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key,
			@RequestBody TestCampaign body) {
		return this.campaigns.find(scope, id)
			.flatMap((campaign) -> mail(scope, campaign, body))
			.flatMap((mail) -> this.testSends.send(scope, mail, IdempotencyKey.claim(scope, key)))
			.map(SendResponses::test);
	}

	private Mono<Submission> mail(Scope scope, Campaign campaign, TestCampaign body) {
		return Mono.justOrEmpty(body.onlyRecipient())
			.flatMap((address) -> this.contacts.subscribed(scope, campaign.contactBookId(), address))
			.map((contact) -> body
				.submission(campaign, CampaignPreview.of(campaign, this.links.unsubscribeUrl(scope.account(), contact)))
				.withContact(contact))
			.switchIfEmpty(Mono.fromSupplier(() -> body.submission(campaign, CampaignPreview.of(campaign))));
	}

}
