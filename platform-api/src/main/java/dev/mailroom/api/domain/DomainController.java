package dev.mailroom.api.domain;

import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.Verification;
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

/** The account's domains. */
@RestController
@RequestMapping("/domains")
class DomainController {

	private final Domains domains;

	private final Verification verification;

	private final Idempotent once;

	DomainController(Domains domains, Verification verification, Idempotent once) {
		this.once = once;
		this.domains = domains;
		this.verification = verification;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey keyed, @RequestBody CreateDomain body) {
		return this.once.answer(scope, keyed, HttpStatus.CREATED,
				this.domains.create(scope, body.name()).map(DomainController::shown));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(usual = 50, most = 100) Page.Request page) {
		return this.domains.list(scope, page).map((found) -> Success.list("domains", found.map(DomainView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.domains.find(scope, id).map(DomainController::shown);
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateDomain body) {
		return this.domains
			.update(scope, id,
					new Domain.Change(body.openTracking(), body.clickTracking(), body.transport(), body.requireTls()))
			.map(DomainController::shown);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.domains.delete(scope, id).thenReturn(Success.deleted(id));
	}

	@PostMapping("/{id}/verify")
	Mono<ResponseEntity<Object>> verify(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed) {
		return this.once.answer(scope, keyed, HttpStatus.OK,
				this.verification.verify(scope, id).map(DomainController::shown));
	}

	@PostMapping("/{id}/dkim/rotate")
	Mono<ResponseEntity<Object>> rotate(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed) {
		return this.once.answer(scope, keyed, HttpStatus.OK,
				this.domains.rotate(scope, id).map(DomainController::shown));
	}

	private static Success shown(Domain domain) {
		return Success.of("domain", DomainView.of(domain));
	}

}
