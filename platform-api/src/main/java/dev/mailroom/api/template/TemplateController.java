package dev.mailroom.api.template;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
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

/** The account's templates. */
@RestController
@RequestMapping("/templates")
class TemplateController {

	private final Templates templates;

	private final Idempotent once;

	TemplateController(Templates templates, Idempotent once) {
		this.templates = templates;
		this.once = once;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey keyed, @RequestBody CreateTemplate body) {
		return this.once.answer(scope, keyed, HttpStatus.CREATED,
				this.templates.create(scope, body.asked()).map(TemplateController::shown));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(usual = 50, most = 100) Page.Request page) {
		return this.templates.list(scope, page).map((found) -> Success.list("templates", found.map(TemplateView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.templates.find(scope, id).map(TemplateController::shown);
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateTemplate body) {
		return this.templates.update(scope, id, body::onto).map(TemplateController::shown);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.templates.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static Success shown(Template template) {
		return Success.of("template", TemplateView.of(template));
	}

}
