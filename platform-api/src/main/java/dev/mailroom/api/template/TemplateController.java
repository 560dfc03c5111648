package dev.mailroom.api.template;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for templates. */
@RestController
@RequestMapping("/templates")
class TemplateController {

	private final Templates templates;

	private final Idempotent idempotent;

	TemplateController(Templates templates, Idempotent idempotent) {
		this.templates = templates;
		this.idempotent = idempotent;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey key, @RequestBody CreateTemplate body) {
		return this.idempotent.answer(scope, key, HttpStatus.CREATED,
				this.templates.create(scope, body.form()).map(TemplateController::view));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page) {
		return this.templates.list(scope, page)
			.map((listed) -> Success.list("templates", listed.map(TemplateView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.templates.find(scope, id).map(TemplateController::view);
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateTemplate body) {
		return this.templates.update(scope, id, body::applyTo).map(TemplateController::view);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.templates.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static Success view(Template template) {
		return Success.of("template", TemplateView.of(template));
	}

	/** The body of POST /templates. */
	record CreateTemplate(@Nullable String name, @Nullable String subject, @Nullable String htmlContent,
			@Nullable String textContent) {

		Template.Form form() {
			return new Template.Form(this.name, this.subject, this.htmlContent, this.textContent);
		}

	}

	/** A template in a response. */
	record TemplateView(UUID id, String name, @Nullable String subject, @Nullable String htmlContent,
			@Nullable String textContent, List<String> variables, Instant createdAt, Instant updatedAt) {

		static TemplateView of(Template template) {
			return new TemplateView(template.id(), template.name(), template.subject(), template.htmlContent(),
					template.textContent(), template.variables(), template.createdAt(), template.updatedAt());
		}

	}

}
