package dev.mailroom.api.domain;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.Verification;
import dev.mailroom.readiness.BimiChecks;
import dev.mailroom.source.SendingSources;
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

/** REST endpoints for sending domains. */
@RestController
@RequestMapping("/domains")
class DomainController {

	private final Domains domains;

	private final Verification verification;

	private final BimiChecks logos;

	private final SendingSources sources;

	private final Idempotent idempotent;

	DomainController(Domains domains, Verification verification, BimiChecks logos, SendingSources sources,
			Idempotent idempotent) {
		this.domains = domains;
		this.verification = verification;
		this.logos = logos;
		this.sources = sources;
		this.idempotent = idempotent;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey key, @RequestBody CreateDomain body) {
		return this.idempotent.answer(scope, key, HttpStatus.CREATED, this.domains.prepare(scope, body.name()),
				(prepared) -> this.domains.create(scope, prepared).flatMap((domain) -> body(scope, domain)));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page) {
		return this.domains.list(scope, page)
			.flatMap((domains) -> this.sources.pools(scope, domains.items().stream().map(Domain::id).toList())
				.map((pools) -> Success.list("domains",
						domains.map((domain) -> DomainView.of(domain, pools.get(domain.id()))))));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.domains.find(scope, id).flatMap((domain) -> body(scope, domain));
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateDomain body) {
		return this.domains.update(scope, id, body.change()).flatMap((domain) -> body(scope, domain));
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.domains.delete(scope, id).thenReturn(Success.deleted(id));
	}

	@PostMapping("/{id}/verify")
	Mono<ResponseEntity<Object>> verify(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, this.verification.lookUp(scope, id),
				(found) -> this.verification.save(scope, found)
					.delayUntil((domain) -> this.logos.checkNow(scope, domain.id()))
					.flatMap((domain) -> body(scope, domain)));
	}

	@PostMapping("/{id}/dkim/rotate")
	Mono<ResponseEntity<Object>> rotate(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, this.domains.prepareRotation(scope, id),
				(prepared) -> this.domains.rotate(scope, prepared).flatMap((domain) -> body(scope, domain)));
	}

	private Mono<Success> body(Scope scope, Domain domain) {
		return this.sources.pools(scope, List.of(domain.id()))
			.map((pools) -> Success.of("domain", DomainView.of(domain, pools.get(domain.id()))));
	}

	/** Body of POST /domains. */
	record CreateDomain(@Nullable String name) {
	}

	/** Body of PATCH /domains/:id; missing fields stay unchanged. */
	record UpdateDomain(@Nullable Boolean openTracking, @Nullable Boolean clickTracking, @Nullable String transport,
			@Nullable Boolean requireTls) {

		Domain.Change change() {
			return Domain.Change.of(this.openTracking, this.clickTracking, this.transport, this.requireTls);
		}

	}

}
