package dev.mailroom.api.tracking;

import java.util.Optional;

import dev.mailroom.api.http.AtRoot;
import dev.mailroom.contact.Membership;
import dev.mailroom.tracking.Consents;
import dev.mailroom.tracking.Token;
import dev.mailroom.tracking.Tokens;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The way out of a contact book (RFC 8058). A GET shows a page and never acts, for
 * programs follow links; a POST acts, whatever its body says.
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
	Mono<ResponseEntity<String>> ask(@PathVariable String token) {
		return known(token)
			.flatMap((leave) -> this.consents.of(leave).map(Optional::of).defaultIfEmpty(Optional.empty()))
			.map((standing) -> this.pages.of(standing, false));
	}

	@PostMapping("/u/{token}")
	Mono<ResponseEntity<String>> act(@PathVariable String token,
			@RequestParam(defaultValue = "false") boolean subscribe) {
		return known(token)
			.flatMap((leave) -> this.consents.set(leave, subscribe)
				.map(Optional::of)
				.defaultIfEmpty(Optional.<Membership>empty()))
			.map((standing) -> this.pages.of(standing, true));
	}

	private Mono<Token.Leave> known(String token) {
		return Mono.justOrEmpty(this.tokens.leave(token)).switchIfEmpty(Mono.error(LinkNotFound::new));
	}

}
