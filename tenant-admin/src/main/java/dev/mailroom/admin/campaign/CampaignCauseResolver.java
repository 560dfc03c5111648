package dev.mailroom.admin.campaign;

import java.time.Instant;
import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.mail.log.CampaignCauses;
import dev.mailroom.mail.outcome.Reputations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Causes for which mails of a campaign came back. */
@Controller
class CampaignCauseResolver {

	private final CampaignCauses causes;

	CampaignCauseResolver(CampaignCauses causes) {
		this.causes = causes;
	}

	@SchemaMapping
	Mono<List<Reputations.Cause>> causes(Campaign campaign) {
		@Nullable Instant startedAt = campaign.startedAt();
		return (startedAt != null) ? this.causes.of(Scope.of(campaign.accountId()), campaign.id(), startedAt)
				: Mono.just(List.of());
	}

}
