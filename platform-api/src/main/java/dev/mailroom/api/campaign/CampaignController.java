package dev.mailroom.api.campaign;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonFormat;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignResults;
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

/** REST endpoints for campaigns. */
@RestController
@RequestMapping("/campaigns")
class CampaignController {

	private final Campaigns campaigns;

	private final CampaignResults results;

	private final Idempotent idempotent;

	CampaignController(Campaigns campaigns, CampaignResults results, Idempotent idempotent) {
		this.campaigns = campaigns;
		this.results = results;
		this.idempotent = idempotent;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey key, @RequestBody CreateCampaign body) {
		return this.idempotent.answer(scope, key, HttpStatus.CREATED,
				this.campaigns.create(scope, body.form()).map(CampaignController::view));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 20, maxLimit = 100, cursor = true) Page.Request page,
			@RequestParam(required = false) @Nullable String status,
			@RequestParam(required = false) @Nullable String search) {
		Campaign.Filter filter = Campaign.Filter.of(CampaignFields.status(status), search);
		return this.campaigns.list(scope, filter, page)
			.map((listed) -> Success.list("campaigns", listed.map(CampaignView.Item::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.campaigns.find(scope, id)
			.map((campaign) -> Success.of("campaign", CampaignView.Detail.of(campaign)));
	}

	@GetMapping("/{id}/series")
	Mono<Success> series(Scope scope, @PathVariable UUID id,
			@RequestParam(required = false) @Nullable String interval) {
		return this.results.series(scope, id, CampaignFields.interval(interval))
			.map((points) -> Success.of("series", points.stream().map(CampaignView.SeriesPoint::of).toList()));
	}

	@GetMapping("/{id}/links")
	Mono<Success> links(Scope scope, @PathVariable UUID id) {
		return this.results.links(scope, id)
			.map((links) -> Success.of("links", links.stream().map(CampaignView.LinkClicks::of).toList()));
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateCampaign body) {
		return this.campaigns.update(scope, id, body::applyTo).map(CampaignController::view);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.campaigns.delete(scope, id).thenReturn(Success.deleted(id));
	}

	@PostMapping("/{id}/schedule")
	Mono<ResponseEntity<Object>> schedule(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key,
			@RequestBody(required = false) @Nullable ScheduleCampaign body) {
		return answer(scope, key, this.campaigns.schedule(scope, id, (body != null) ? body.sendAt() : null));
	}

	@PostMapping("/{id}/unschedule")
	Mono<ResponseEntity<Object>> unschedule(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return answer(scope, key, this.campaigns.unschedule(scope, id));
	}

	@PostMapping("/{id}/start")
	Mono<ResponseEntity<Object>> start(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return answer(scope, key, this.campaigns.start(scope, id));
	}

	@PostMapping("/{id}/pause")
	Mono<ResponseEntity<Object>> pause(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, this.campaigns.pause(scope, id)
			.map((campaign) -> Success.of("campaign", CampaignView.Paused.of(campaign))));
	}

	@PostMapping("/{id}/resume")
	Mono<ResponseEntity<Object>> resume(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return answer(scope, key, this.campaigns.resume(scope, id));
	}

	private Mono<ResponseEntity<Object>> answer(Scope scope, @Nullable IdempotencyKey key, Mono<Campaign> campaign) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, campaign.map(CampaignController::view));
	}

	private static Success view(Campaign campaign) {
		return Success.of("campaign", CampaignView.of(campaign));
	}

	/**
	 * The body of POST /campaigns.
	 *
	 * @param templateId replaces htmlContent and textContent
	 * @param sendAt schedules the campaign; null for a draft
	 * @param filter condition on the contacts; null for all
	 * @param pace mails per minute; null without a limit
	 */
	record CreateCampaign(@Nullable String name, @Nullable String from, @Nullable String subject,
			@Nullable String contactBookId, @Nullable String templateId, @Nullable String htmlContent,
			@Nullable String textContent,
			@JsonFormat(
					with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable String> replyTo,
			@JsonAlias( {
					"sendAt", "scheduled_at", "scheduledAt" }) @Nullable String sendAt,
			@Nullable Map<String, Object> filter, @Nullable Integer pace){

		Campaign.Form form() {
			@Nullable UUID book = CampaignFields.id("contact_book_id", this.contactBookId);
			@Nullable UUID template = CampaignFields.id("template_id", this.templateId);
			return new Campaign.Form(this.name, this.from, this.replyTo, this.subject, book, template, this.htmlContent,
					this.textContent, this.sendAt, this.filter, this.pace);
		}
	}

	/** The body of POST /campaigns/:id/schedule. */
	record ScheduleCampaign(@JsonAlias( {
			"sendAt", "scheduled_at", "scheduledAt" }) @Nullable String sendAt){
	}

}
