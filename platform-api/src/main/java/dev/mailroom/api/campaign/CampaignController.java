package dev.mailroom.api.campaign;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.Campaigns;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The account's campaigns. */
@RestController
@RequestMapping("/campaigns")
class CampaignController {

	private final Campaigns campaigns;

	private final Idempotent once;

	CampaignController(Campaigns campaigns, Idempotent once) {
		this.campaigns = campaigns;
		this.once = once;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey keyed, @RequestBody CreateCampaign body) {
		return this.once.answer(scope, keyed, HttpStatus.CREATED,
				this.campaigns.create(scope, body.asked()).map(CampaignController::shown));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(usual = 20, most = 100) Page.Request page,
			@RequestParam(required = false) @Nullable String status,
			@RequestParam(required = false) @Nullable String search) {
		return this.campaigns.list(scope, Campaign.Filter.of(CampaignFields.status(status), search), page)
			.map((found) -> Success.list("campaigns", found.map(CampaignItem::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.campaigns.find(scope, id).map(CampaignController::shown);
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateCampaign body) {
		return this.campaigns.update(scope, id, body::onto).map(CampaignController::shown);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.campaigns.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static Success shown(Campaign campaign) {
		return Success.of("campaign", CampaignView.of(campaign));
	}

}
