package dev.mailroom.admin.operator;

import java.time.Clock;
import java.time.Instant;

import dev.mailroom.audit.AuditEntry;
import dev.mailroom.http.CallerToken;
import dev.mailroom.operator.AuditLog;
import dev.mailroom.operator.Operators;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Serves the audit log of a time as lines of JSON, for operators with an access token.
 */
@RestController
class AuditExportController {

	private final Operators operators;

	private final AuditLog audits;

	private final Clock clock;

	AuditExportController(Operators operators, AuditLog audits, Clock clock) {
		this.operators = operators;
		this.audits = audits;
		this.clock = clock;
	}

	@GetMapping("/export/audit-log")
	Mono<ResponseEntity<Flux<AuditEntry>>> export(ServerWebExchange exchange, @RequestParam Instant from,
			@RequestParam @Nullable Instant until) {
		return CallerToken.of(exchange)
			.flatMap((caller) -> this.operators.authorize(caller.scope()))
			.flatMap((operator) -> this.audits.export(operator, from, (until != null) ? until : this.clock.instant()))
			.map((entries) -> ResponseEntity.ok().contentType(MediaType.APPLICATION_NDJSON).body(entries));
	}

}
