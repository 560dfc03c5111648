package dev.mailroom.api.tracking;

import java.time.Duration;

import dev.mailroom.Scope;
import dev.mailroom.api.http.AtRoot;
import dev.mailroom.brand.Brands;
import dev.mailroom.image.Images;
import dev.mailroom.image.Picture;
import dev.mailroom.tracking.Tokens;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Logos on the pages for recipients, and images in mails. The type is one that the server
 * has found in the content, and each picture has another address.
 */
@AtRoot
@RestController
class PictureController {

	private final Tokens tokens;

	private final Brands brands;

	private final Images images;

	PictureController(Tokens tokens, Brands brands, Images images) {
		this.tokens = tokens;
		this.brands = brands;
		this.images = images;
	}

	@GetMapping("/logo/{token}")
	Mono<ResponseEntity<byte[]>> logo(@PathVariable String token) {
		return shown(Mono.justOrEmpty(this.tokens.logo(token))
			.flatMap((logo) -> this.brands.logo(Scope.of(logo.accountId()), logo.id())));
	}

	@GetMapping("/image/{token}")
	Mono<ResponseEntity<byte[]>> image(@PathVariable String token) {
		return shown(Mono.justOrEmpty(this.tokens.image(token))
			.flatMap((image) -> this.images.content(Scope.of(image.accountId()), image.id())));
	}

	private static Mono<ResponseEntity<byte[]>> shown(Mono<Picture> picture) {
		return picture.switchIfEmpty(Mono.error(LinkNotFound::new))
			.map((found) -> ResponseEntity.ok()
				.contentType(MediaType.parseMediaType(found.type()))
				.cacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable())
				.header("Cross-Origin-Resource-Policy", "cross-origin")
				.body(found.content()));
	}

}
