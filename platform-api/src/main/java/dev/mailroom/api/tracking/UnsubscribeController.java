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
	Mono<ResponseEntity<String>> show(@PathVariable String token) {
		return verified(token)
			.flatMap((contact) -> this.consents.of(contact).map(Optional::of).defaultIfEmpty(Optional.empty()))
			.map((membership) -> this.pages.of(token, membership, false));
	}

	@PostMapping("/u/{token}")
	Mono<ResponseEntity<String>> change(@PathVariable String token,
			@RequestParam(defaultValue = "false") boolean subscribe) {
		return verified(token)
			.flatMap((contact) -> this.consents.set(contact, subscribe)
				.map(Optional::of)
				.defaultIfEmpty(Optional.<BookMembership>empty()))
			.map((membership) -> this.pages.of(token, membership, true));
	}

	private Mono<TrackingToken.Unsubscribe> verified(String token) {
		return Mono.justOrEmpty(this.tokens.unsubscribe(token)).switchIfEmpty(Mono.error(LinkNotFound::new));
	}

}
