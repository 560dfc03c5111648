package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.mail.outcome.Suppression;
import dev.mailroom.mail.outcome.Suppressions;
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

/** REST endpoints for the suppression list. */
@RestController
@RequestMapping("/suppressions")
class SuppressionController {

	private final Suppressions suppressions;

	private final Idempotent idempotent;

	SuppressionController(Suppressions suppressions, Idempotent idempotent) {
		this.suppressions = suppressions;
		this.idempotent = idempotent;
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page,
			@RequestParam(required = false) @Nullable String search) {
		return this.suppressions.list(scope, search, page)
			.map((listed) -> Success.list("suppressions", listed.map(SuppressionView::of)));
	}

	/** Responds with 201 to a new address, with 200 to one that is on the list. */
	@PostMapping
	Mono<ResponseEntity<Object>> enter(Scope scope, @Nullable IdempotencyKey key, @RequestBody AddSuppression body) {
		return this.idempotent.answer(scope, key,
				this.suppressions.enter(scope, body.form()).map(SuppressionController::response));
	}

	@PostMapping("/bulk")
	Mono<ResponseEntity<Object>> enterAll(Scope scope, @Nullable IdempotencyKey key,
			@RequestBody List<@Nullable AddSuppression> body) {
		List<Suppression.@Nullable Form> forms = body.stream().<Suppression
			.@Nullable Form>map(SuppressionController::form)
			.toList();
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				this.suppressions.enterAll(scope, forms).map(BulkResult::of).map(Success::data));
	}

	@DeleteMapping("/{id}")
	Mono<Success> lift(Scope scope, @PathVariable UUID id) {
		return this.suppressions.lift(scope, id).thenReturn(Success.deleted(id));
	}

	private static Suppression.@Nullable Form form(@Nullable AddSuppression body) {
		return (body != null) ? body.form() : null;
	}

	private static ResponseEntity<Object> response(Suppression.Entered entered) {
		return ResponseEntity.status(entered.added() ? HttpStatus.CREATED : HttpStatus.OK)
			.body(Success.of("suppression", SuppressionView.of(entered.suppression())));
	}

	/** The body of POST /suppressions, and an element of POST /suppressions/bulk. */
	record AddSuppression(@Nullable String email, @Nullable String reason) {

		Suppression.Form form() {
			return new Suppression.Form(this.email, this.reason);
		}

	}

	/** An entry in a response. */
	record SuppressionView(UUID id, String email, String reason, Instant createdAt) {

		static SuppressionView of(Suppression suppression) {
			return new SuppressionView(suppression.id(), suppression.address(), suppression.reason().contractName(),
					suppression.createdAt());
		}

	}

	/**
	 * The response to POST /suppressions/bulk.
	 *
	 * @param count number of addresses that were not on the list before
	 */
	record BulkResult(String message, long count) {

		static BulkResult of(long count) {
			return new BulkResult(count + " addresses added", count);
		}

	}

}
