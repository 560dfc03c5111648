package dev.mailroom.api.tracking;

import java.time.Duration;

import dev.mailroom.Scope;
import dev.mailroom.api.http.AtRoot;
import dev.mailroom.brand.Brands;
import dev.mailroom.tracking.Tokens;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Logos on the pages for recipients and in their mails. */
@AtRoot
@RestController
class LogoController {

	private final Tokens tokens;

	private final Brands brands;

	LogoController(Tokens tokens, Brands brands) {
		this.tokens = tokens;
		this.brands = brands;
	}

	/**
	 * The type is one of three that the server has found in the content, and each logo
	 * has another address.
	 */
	@GetMapping("/logo/{token}")
	Mono<ResponseEntity<byte[]>> show(@PathVariable String token) {
		return Mono.justOrEmpty(this.tokens.logo(token))
			.flatMap((logo) -> this.brands.logo(Scope.of(logo.accountId()), logo.id()))
			.switchIfEmpty(Mono.error(LinkNotFound::new))
			.map((logo) -> ResponseEntity.ok()
				.contentType(MediaType.parseMediaType(logo.type()))
				.cacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable())
				.header("Cross-Origin-Resource-Policy", "cross-origin")
				.body(logo.content()));
	}

}
