package dev.mailroom.api.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Refusal;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/**
 * Serves the pages behind {@code docs_url}, each with the meaning of an error and its
 * remedy. They have no style sheet, and the default content security policy applies.
 */
@AtRoot
@RestController
class ErrorPageController {

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private final Map<String, ErrorText> errors = ErrorText.all()
		.stream()
		.collect(Collectors.toUnmodifiableMap(ErrorText::name, Function.identity()));

	@GetMapping("/docs/errors/{name}")
	Mono<ResponseEntity<String>> page(@PathVariable String name) {
		return Mono.justOrEmpty(this.errors.get(name))
			.map((error) -> ResponseEntity.ok()
				.contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
				.body(html(error)))
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no error with this name")));
	}

	private static String html(ErrorText text) {
		return """
				<!doctype html>
				<html lang="en">
				<head>
				<meta charset="utf-8">
				<meta name="viewport" content="width=device-width, initial-scale=1">
				<title>%2$s - Mailroom</title>
				</head>
				<body>
				<main>
				<h1>%2$s</h1>
				<p><code>%1$s</code>, status %3$s</p>
				<p>%4$s</p>
				<h2>What to do</h2>
				<p>%5$s</p>
				</main>
				</body>
				</html>
				""".formatted(text.name(), escaped(text.error()), escaped(text.status()), escaped(text.meaning()),
				escaped(text.remedy()));
	}

	private static String escaped(String text) {
		return HtmlUtils.htmlEscape(text, "UTF-8");
	}

}
