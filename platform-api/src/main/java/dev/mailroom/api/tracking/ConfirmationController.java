package dev.mailroom.api.tracking;

import java.util.Optional;

import dev.mailroom.api.http.AtRoot;
import dev.mailroom.contact.Subscriptions.BookMembership;
import dev.mailroom.tracking.Consents;
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
 * Links of the mails that ask a person to confirm a subscription. GET shows a page
 * without any effect, because programs follow links; POST confirms.
 */
@AtRoot
@RestController
class ConfirmationController {

	private final Tokens tokens;

	private final Consents consents;

	private final Pages pages;

	ConfirmationController(Tokens tokens, Consents consents, Pages pages) {
		this.tokens = tokens;
		this.consents = consents;
		this.pages = pages;
	}

	@GetMapping("/confirm/{token}")
	Mono<ResponseEntity<String>> show(@PathVariable String token, ServerWebExchange exchange) {
		return verified(token).flatMap((link) -> page(link, exchange, this.consents.of(link)));
	}

	@PostMapping("/confirm/{token}")
	Mono<ResponseEntity<String>> confirm(@PathVariable String token, ServerWebExchange exchange) {
		return verified(token).flatMap((link) -> page(link, exchange, this.consents.confirm(link)));
	}

	private Mono<ResponseEntity<String>> page(TrackingToken.Confirmation link, ServerWebExchange exchange,
			Mono<BookMembership> membership) {
		return membership.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((found) -> this.pages.look(link.accountId(), exchange)
				.map((look) -> this.pages.confirmation(look, found, this.consents.isExpired(link))));
	}

	private Mono<TrackingToken.Confirmation> verified(String token) {
		return Mono.justOrEmpty(this.tokens.confirmation(token)).switchIfEmpty(Mono.error(LinkNotFound::new));
	}

}
