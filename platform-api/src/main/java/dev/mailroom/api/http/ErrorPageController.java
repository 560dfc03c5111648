package dev.mailroom.api.http;

import java.nio.charset.StandardCharsets;

import dev.mailroom.Refusal;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Serves the pages of errors; without style, so that every answer's policy fits them. */
@AtRoot
@RestController
class ErrorPageController {

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private final ErrorPages pages;

	ErrorPageController(ErrorPages pages) {
		this.pages = pages;
	}

	@GetMapping("/docs/errors/{name}")
	Mono<ResponseEntity<String>> page(@PathVariable String name) {
		return Mono.justOrEmpty(this.pages.page(name))
			.map((html) -> ResponseEntity.ok()
				.contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
				.body(html))
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no error of that name")));
	}

}
