package dev.mailroom.api.tracking;

import dev.mailroom.Refusal;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ServerWebExchange;

/** Response to an invalid link: a page for browsers, an API error for other clients. */
@RestControllerAdvice(basePackageClasses = TrackingController.class)
class LinkNotFoundHandler {

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private final Pages pages;

	LinkNotFoundHandler(Pages pages) {
		this.pages = pages;
	}

	@ExceptionHandler
	Mono<ResponseEntity<String>> notFound(LinkNotFound link, ServerWebExchange exchange) {
		boolean browser = exchange.getRequest()
			.getHeaders()
			.getAccept()
			.stream()
			.anyMatch((type) -> type.equalsTypeAndSubtype(MediaType.TEXT_HTML));
		return browser ? Mono.just(this.pages.notFound(exchange))
				: Mono.error(NOT_FOUND.because(String.valueOf(link.getMessage())));
	}

}
