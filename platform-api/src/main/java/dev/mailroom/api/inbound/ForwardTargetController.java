package dev.mailroom.api.inbound;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.inbound.ForwardTarget;
import dev.mailroom.inbound.ForwardTargets;
import dev.mailroom.upkeep.ForwardMails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the addresses to which routes forward mail. */
@RestController
@RequestMapping("/inbound/targets")
class ForwardTargetController {

	private final ForwardTargets targets;

	private final ForwardMails mails;

	ForwardTargetController(ForwardTargets targets, ForwardMails mails) {
		this.targets = targets;
		this.mails = mails;
	}

	@GetMapping
	Mono<Success> list(Scope scope) {
		return this.targets.list(scope)
			.map((targets) -> Success.of("targets", targets.stream().map(TargetView::of).toList()));
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> create(Scope scope, @RequestBody Target body) {
		return this.mails.create(scope, body.address()).map(ForwardTargetController::shown);
	}

	@PostMapping("/{id}/resend")
	Mono<Success> resend(Scope scope, @PathVariable UUID id) {
		return this.mails.resend(scope, id).map(ForwardTargetController::shown);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.targets.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static Success shown(ForwardTarget target) {
		return Success.of("target", TargetView.of(target));
	}

	/** Body of POST /inbound/targets. */
	record Target(@Nullable String address) {
	}

	/** A forward target in responses. */
	record TargetView(UUID id, String address, boolean confirmed, @Nullable Instant confirmedAt, Instant createdAt) {

		static TargetView of(ForwardTarget target) {
			return new TargetView(target.id(), target.address(), target.confirmed(), target.confirmedAt(),
					target.createdAt());
		}

	}

}
