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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Unsubscribe links (RFC 8058). GET shows a page without any effect, because programs
 * follow links; POST unsubscribes or subscribes, regardless of its body.
 */
@AtRoot
@RestController
class UnsubscribeController {

	private final Tokens tokens;

	private final Consents consents;

	private final Pages pages;

	UnsubscribeController(Tokens tokens, Consents consents, Pages pages) {
		this.tokens = tokens;
		this.consents = consents;
		this.pages = pages;
	}

	@GetMapping("/u/{token}")
	Mono<ResponseEntity<String>> show(@PathVariable String token, ServerWebExchange exchange) {
		return verified(token).flatMap((contact) -> page(contact, token, exchange, this.consents.of(contact), false));
	}

	@PostMapping("/u/{token}")
	Mono<ResponseEntity<String>> change(@PathVariable String token,
			@RequestParam(defaultValue = "false") boolean subscribe, ServerWebExchange exchange) {
		return verified(token)
			.flatMap((contact) -> page(contact, token, exchange, this.consents.set(contact, subscribe), true));
	}

	private Mono<ResponseEntity<String>> page(TrackingToken.Unsubscribe link, String token, ServerWebExchange exchange,
			Mono<BookMembership> membership, boolean changed) {
		return membership.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((found) -> this.pages.look(link.accountId(), exchange)
				.map((look) -> this.pages.of(look, token, found, changed)));
	}

	private Mono<TrackingToken.Unsubscribe> verified(String token) {
		return Mono.justOrEmpty(this.tokens.unsubscribe(token)).switchIfEmpty(Mono.error(LinkNotFound::new));
	}

}
