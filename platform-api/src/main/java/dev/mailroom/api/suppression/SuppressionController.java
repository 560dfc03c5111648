package dev.mailroom.api.suppression;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.suppression.Suppression;
import dev.mailroom.suppression.SuppressionForm;
import dev.mailroom.suppression.Suppressions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The account's suppression list. */
@RestController
@RequestMapping("/suppressions")
class SuppressionController {

	private final Suppressions suppressions;

	private final Idempotent once;

	SuppressionController(Suppressions suppressions, Idempotent once) {
		this.suppressions = suppressions;
		this.once = once;
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(usual = 50, most = 100, cursor = true) Page.Request page,
			@RequestParam(required = false) @Nullable String search) {
		return this.suppressions.list(scope, search, page)
			.map((found) -> Success.list("suppressions", found.map(SuppressionView::of)));
	}

	/** 201 where the address is new on the list, 200 where it was there. */
	@PostMapping
	Mono<ResponseEntity<Object>> enter(Scope scope, @Nullable IdempotencyKey keyed, @RequestBody Suppress body) {
		return this.once.answer(scope, keyed,
				this.suppressions.enter(scope, body.form()).map(SuppressionController::answer));
	}

	@PostMapping("/bulk")
	Mono<ResponseEntity<Object>> enterAll(Scope scope, @Nullable IdempotencyKey keyed,
			@RequestBody List<@Nullable Suppress> body) {
		List<@Nullable SuppressionForm> forms = body.stream()
			.<@Nullable SuppressionForm>map(SuppressionController::form)
			.toList();
		return this.once.answer(scope, keyed, HttpStatus.OK,
				this.suppressions.enterAll(scope, forms).map(Suppressed::of).map(Success::data));
	}

	@DeleteMapping("/{id}")
	Mono<Success> lift(Scope scope, @PathVariable UUID id) {
		return this.suppressions.lift(scope, id).thenReturn(Success.deleted(id));
	}

	private static @Nullable SuppressionForm form(@Nullable Suppress body) {
		return (body != null) ? body.form() : null;
	}

	private static ResponseEntity<Object> answer(Suppression.Entered entered) {
		return ResponseEntity.status(entered.added() ? HttpStatus.CREATED : HttpStatus.OK)
			.body(Success.of("suppression", SuppressionView.of(entered.suppression())));
	}

}
