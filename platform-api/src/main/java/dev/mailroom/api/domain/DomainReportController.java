package dev.mailroom.api.domain;

import java.time.LocalDate;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Day;
import dev.mailroom.api.http.Success;
import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.readiness.Readiness;
import dev.mailroom.tlsreport.TlsReports;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the reports of receivers about a domain, and its readiness. */
@RestController
@RequestMapping("/domains/{id}")
class DomainReportController {

	private final DmarcReports reports;

	private final TlsReports tlsReports;

	private final Readiness readiness;

	DomainReportController(DmarcReports reports, TlsReports tlsReports, Readiness readiness) {
		this.reports = reports;
		this.tlsReports = tlsReports;
		this.readiness = readiness;
	}

	@GetMapping("/dmarc")
	Mono<Success> dmarc(Scope scope, @PathVariable UUID id, @RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.defer(() -> {
			@Nullable LocalDate first = Day.read("from", from);
			@Nullable LocalDate last = Day.read("to", to);
			Day.checkOrder(first, last);
			return this.reports.figures(scope, id, first, last);
		}).map((figures) -> Success.of("dmarc", figures));
	}

	@GetMapping("/tls-reports")
	Mono<Success> tlsReports(Scope scope, @PathVariable UUID id, @RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.defer(() -> {
			@Nullable LocalDate first = Day.read("from", from);
			@Nullable LocalDate last = Day.read("to", to);
			Day.checkOrder(first, last);
			return this.tlsReports.figures(scope, id, first, last);
		}).map((figures) -> Success.of("tls_reports", figures));
	}

	@GetMapping("/readiness")
	Mono<Success> readiness(Scope scope, @PathVariable UUID id) {
		return this.readiness.of(scope, id).map((checks) -> Success.of("checks", checks));
	}

}
