package dev.mailroom.admin.campaign;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Streams;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignStatus;
import dev.mailroom.campaign.Campaigns;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;

/** Progress of a campaign as a stream. */
@Controller
class CampaignStreamResolver {

	private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

	private final Campaigns campaigns;

	private final Streams streams;

	CampaignStreamResolver(Campaigns campaigns, Streams streams) {
		this.campaigns = campaigns;
		this.streams = streams;
	}

	@SubscriptionMapping
	Flux<Campaign> campaignProgress(Scope scope, @Argument UUID id) {
		Mono<Campaign> read = Mono.defer(() -> this.campaigns.find(scope, id));
		Flux<Campaign> progress = read.repeatWhen((done) -> done.delayElements(POLL_INTERVAL))
			.distinctUntilChanged()
			.takeUntil((campaign) -> campaign.status() == CampaignStatus.SENT);
		return this.streams.limited(scope, progress);
	}

}
