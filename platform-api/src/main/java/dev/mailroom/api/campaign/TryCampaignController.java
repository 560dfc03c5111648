package dev.mailroom.api.campaign;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.email.Trials;
import dev.mailroom.api.idempotency.Keyed;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.email.Senders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Sends a campaign's mail to whoever wants to see it before its contacts do. */
@RestController
class TryCampaignController {

	private final Campaigns campaigns;

	private final Senders senders;

	private final Trials trials;

	TryCampaignController(Campaigns campaigns, Senders senders, Trials trials) {
		this.campaigns = campaigns;
		this.senders = senders;
		this.trials = trials;
	}

	@PostMapping("/campaigns/{id}/test")
	Mono<ResponseEntity<Object>> test(Scope scope, @PathVariable UUID id, @Nullable Keyed keyed,
			@RequestBody TryCampaign body) {
		return this.campaigns.find(scope, id)
			.flatMap((campaign) -> this.senders.choose(scope, campaign.sender())
				.flatMap((sender) -> this.trials.send(sender, keyed, body.submission(sender.from(), campaign))));
	}

}
