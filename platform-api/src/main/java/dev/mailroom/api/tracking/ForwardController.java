package dev.mailroom.api.tracking;

import dev.mailroom.api.http.AtRoot;
import dev.mailroom.inbound.ForwardTarget;
import dev.mailroom.inbound.ForwardTargets;
import dev.mailroom.tracking.Tokens;
import dev.mailroom.tracking.TrackingToken;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Links of the mails that ask a person whether mail may be forwarded to the address. GET
 * shows a page without any effect, because programs follow links; POST confirms.
 */
@AtRoot
@RestController
class ForwardController {

	private final Tokens tokens;

	private final ForwardTargets targets;

	private final Pages pages;

	ForwardController(Tokens tokens, ForwardTargets targets, Pages pages) {
		this.tokens = tokens;
		this.targets = targets;
		this.pages = pages;
	}

	@GetMapping("/confirm-forward/{token}")
	Mono<ResponseEntity<String>> show(@PathVariable String token, ServerWebExchange exchange) {
		return verified(token).flatMap((link) -> page(link, exchange, this.targets.of(link)));
	}

	@PostMapping("/confirm-forward/{token}")
	Mono<ResponseEntity<String>> confirm(@PathVariable String token, ServerWebExchange exchange) {
		return verified(token).flatMap((link) -> page(link, exchange, this.targets.confirm(link)));
	}

	private Mono<ResponseEntity<String>> page(TrackingToken.ForwardConfirmation link, ServerWebExchange exchange,
			Mono<ForwardTarget> target) {
		return target.switchIfEmpty(Mono.error(LinkNotFound::new))
			.flatMap((found) -> this.pages.look(link.accountId(), exchange)
				.map((look) -> this.pages.forwarding(look, found, this.targets.isExpired(link))));
	}

	private Mono<TrackingToken.ForwardConfirmation> verified(String token) {
		return Mono.justOrEmpty(this.tokens.forwardConfirmation(token)).switchIfEmpty(Mono.error(LinkNotFound::new));
	}

}
