package dev.mailroom.api.campaign;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignTransitions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Moves campaigns from state to state. */
@RestController
@RequestMapping("/campaigns/{id}")
class TransitionController {

	private final CampaignTransitions course;

	private final Idempotent once;

	TransitionController(CampaignTransitions course, Idempotent once) {
		this.course = course;
		this.once = once;
	}

	@PostMapping("/schedule")
	Mono<ResponseEntity<Object>> schedule(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed,
			@RequestBody(required = false) @Nullable ScheduleCampaign body) {
		return moved(scope, keyed, this.course.schedule(scope, id, (body != null) ? body.sendAt() : null));
	}

	@PostMapping("/unschedule")
	Mono<ResponseEntity<Object>> unschedule(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed) {
		return moved(scope, keyed, this.course.unschedule(scope, id));
	}

	@PostMapping("/start")
	Mono<ResponseEntity<Object>> start(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed) {
		return moved(scope, keyed, this.course.start(scope, id));
	}

	@PostMapping("/pause")
	Mono<ResponseEntity<Object>> pause(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed) {
		return this.once.answer(scope, keyed, HttpStatus.OK, this.course.pause(scope, id)
			.map((campaign) -> Success.of("campaign", CampaignView.Paused.of(campaign))));
	}

	@PostMapping("/resume")
	Mono<ResponseEntity<Object>> resume(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed) {
		return moved(scope, keyed, this.course.resume(scope, id));
	}

	private Mono<ResponseEntity<Object>> moved(Scope scope, @Nullable IdempotencyKey keyed, Mono<Campaign> move) {
		return this.once.answer(scope, keyed, HttpStatus.OK,
				move.map((campaign) -> Success.of("campaign", CampaignView.of(campaign))));
	}

}
