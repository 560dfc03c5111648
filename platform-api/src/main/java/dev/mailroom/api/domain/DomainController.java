package dev.mailroom.api.domain;

import java.time.LocalDate;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.Day;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.Verification;
import dev.mailroom.readiness.BimiChecks;
import dev.mailroom.readiness.Readiness;
import dev.mailroom.tlsreport.TlsReports;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for sending domains. */
@RestController
@RequestMapping("/domains")
class DomainController {

	private final Domains domains;

	private final Verification verification;

	private final DmarcReports reports;

	private final TlsReports tlsReports;

	private final Readiness readiness;

	private final BimiChecks logos;

	private final Idempotent idempotent;

	DomainController(Domains domains, Verification verification, DmarcReports reports, TlsReports tlsReports,
			Readiness readiness, BimiChecks logos, Idempotent idempotent) {
		this.domains = domains;
		this.verification = verification;
		this.reports = reports;
		this.tlsReports = tlsReports;
		this.readiness = readiness;
		this.logos = logos;
		this.idempotent = idempotent;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @Nullable IdempotencyKey key, @RequestBody CreateDomain body) {
		return this.idempotent.answer(scope, key, HttpStatus.CREATED, this.domains.prepare(scope, body.name()),
				(prepared) -> this.domains.create(scope, prepared).map(DomainController::body));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page) {
		return this.domains.list(scope, page).map((domains) -> Success.list("domains", domains.map(DomainView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.domains.find(scope, id).map(DomainController::body);
	}

	@PatchMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody UpdateDomain body) {
		return this.domains.update(scope, id, body.change()).map(DomainController::body);
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
					.map(DomainController::body));
	}

	@PostMapping("/{id}/dkim/rotate")
	Mono<ResponseEntity<Object>> rotate(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, this.domains.prepareRotation(scope, id),
				(prepared) -> this.domains.rotate(scope, prepared).map(DomainController::body));
	}

	@GetMapping("/{id}/dmarc")
	Mono<Success> dmarc(Scope scope, @PathVariable UUID id, @RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.defer(() -> {
			@Nullable LocalDate first = Day.read("from", from);
			@Nullable LocalDate last = Day.read("to", to);
			Day.checkOrder(first, last);
			return this.reports.figures(scope, id, first, last);
		}).map((figures) -> Success.of("dmarc", figures));
	}

	@GetMapping("/{id}/tls-reports")
	Mono<Success> tlsReports(Scope scope, @PathVariable UUID id, @RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.defer(() -> {
			@Nullable LocalDate first = Day.read("from", from);
			@Nullable LocalDate last = Day.read("to", to);
			Day.checkOrder(first, last);
			return this.tlsReports.figures(scope, id, first, last);
		}).map((figures) -> Success.of("tls_reports", figures));
	}

	@GetMapping("/{id}/readiness")
	Mono<Success> readiness(Scope scope, @PathVariable UUID id) {
		return this.readiness.of(scope, id).map((checks) -> Success.of("checks", checks));
	}

	private static Success body(Domain domain) {
		return Success.of("domain", DomainView.of(domain));
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
