package dev.mailroom.admin.domain;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.dmarcreport.DmarcFigures;
import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.domain.Domains;
import dev.mailroom.mail.outcome.ProviderFigures;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.readiness.Readiness;
import dev.mailroom.readiness.ReadinessCheck;
import dev.mailroom.tlsreport.TlsFigures;
import dev.mailroom.tlsreport.TlsReports;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The standing of a domain with receivers. */
@Controller
class StandingResolver {

	private static final int MAX_DAYS = 90;

	private static final int PROVIDER_DAYS = 30;

	private final Domains domains;

	private final DmarcReports reports;

	private final TlsReports tlsReports;

	private final Readiness readiness;

	private final Reputations reputations;

	private final Clock clock;

	StandingResolver(Domains domains, DmarcReports reports, TlsReports tlsReports, Readiness readiness,
			Reputations reputations, Clock clock) {
		this.domains = domains;
		this.reports = reports;
		this.tlsReports = tlsReports;
		this.readiness = readiness;
		this.reputations = reputations;
		this.clock = clock;
	}

	@SchemaMapping
	Mono<DmarcFigures> dmarc(Viewer viewer, @Argument UUID domainId, @Argument int days) {
		return checked(days).flatMap((first) -> this.reports.figures(viewer.scope(), domainId, first, null));
	}

	@SchemaMapping
	Mono<TlsFigures> tlsReports(Viewer viewer, @Argument UUID domainId, @Argument int days) {
		return checked(days).flatMap((first) -> this.tlsReports.figures(viewer.scope(), domainId, first, null));
	}

	/** The first of the last days. */
	private Mono<LocalDate> checked(int days) {
		return (days < 1 || days > MAX_DAYS)
				? Mono
					.error(() -> Refusal.INVALID_REQUEST.field("days", "must be a whole number from 1 to " + MAX_DAYS))
				: Mono.fromSupplier(() -> first(days));
	}

	@SchemaMapping
	Mono<List<ReadinessCheck>> readiness(Viewer viewer, @Argument UUID domainId) {
		return this.readiness.of(viewer.scope(), domainId);
	}

	@SchemaMapping
	Mono<List<ProviderFigures>> providers(Viewer viewer, @Argument UUID domainId) {
		return this.domains.find(viewer.scope(), domainId)
			.flatMap((domain) -> this.reputations.providers(viewer.scope(),
					new Reputations.Period(domain.id(), first(PROVIDER_DAYS), null)));
	}

	private LocalDate first(int days) {
		return LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC).minusDays(days - 1L);
	}

}
