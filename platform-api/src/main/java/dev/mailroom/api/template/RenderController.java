package dev.mailroom.api.template;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.email.SendResponses;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.Success;
import dev.mailroom.mail.accept.TestSends;
import dev.mailroom.template.Content;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import dev.mailroom.template.Variables;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Renders a template with variables, in the response or as a test mail. */
@RestController
class RenderController {

	private final Templates templates;

	private final TestSends testSends;

	private final Idempotent idempotent;

	RenderController(Templates templates, TestSends testSends, Idempotent idempotent) {
		this.templates = templates;
		this.testSends = testSends;
		this.idempotent = idempotent;
	}

	@PostMapping("/templates/{id}/render")
	Mono<ResponseEntity<Object>> render(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key,
			@RequestBody(required = false) @Nullable RenderTemplate body) {
		Map<String, @Nullable Object> variables = (body != null) ? body.variables() : null;
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				this.templates.find(scope, id).map((template) -> Success.data(rendered(template, variables))));
	}

	@PostMapping("/templates/{id}/test")
	Mono<ResponseEntity<Object>> test(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key,
			@RequestBody TestTemplate body) {
		return this.templates.find(scope, id)
			.map((template) -> rendered(template, body.variables()))
			.flatMap((rendered) -> this.testSends.send(scope, body.submission(rendered),
					IdempotencyKey.claim(scope, key)))
			.map(SendResponses::test);
	}

	private static Content.Rendered rendered(Template template, @Nullable Map<String, @Nullable Object> variables) {
		return template.content().render(Variables.read(variables));
	}

	/** The body of POST /templates/:id/render. */
	record RenderTemplate(@Nullable Map<String, @Nullable Object> variables) {
	}

}
