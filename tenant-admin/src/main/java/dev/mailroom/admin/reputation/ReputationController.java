package dev.mailroom.admin.reputation;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.domain.Domain;
import dev.mailroom.reputation.DayFigures;
import dev.mailroom.reputation.Figures;
import dev.mailroom.reputation.Report;
import dev.mailroom.reputation.ReportPeriod;
import dev.mailroom.reputation.Reputations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Reputation of an account. */
@Controller
class ReputationController {

	private static final int MAX_DAYS = 90;

	private static final int WEEK = 7;

	private static final Figures NOTHING = new Figures(0, 0, 0);

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private final Reputations reputations;

	private final Clock clock;

	ReputationController(Reputations reputations, Clock clock) {
		this.reputations = reputations;
		this.clock = clock;
	}

	@SchemaMapping
	Mono<Report> reputation(Viewer viewer, @Argument int days, @Argument @Nullable UUID domainId) {
		return Mono.defer(() -> this.reputations.report(viewer.scope(), period(days, domainId)));
	}

	@SchemaMapping
	Mono<List<DayFigures>> dailyFigures(Viewer viewer, @Argument int days, @Argument @Nullable UUID domainId) {
		return Mono.defer(() -> this.reputations.days(viewer.scope(), period(days, domainId)));
	}

	/** Counts of the last seven days of all domains of a list, by account. */
	@BatchMapping(typeName = "Domain")
	Mono<Map<Domain, Figures>> week(List<Domain> domains) {
		LocalDate from = today().minusDays(WEEK - 1L);
		return Flux.fromStream(() -> domains.stream().map(Domain::accountId).distinct())
			.concatMap((account) -> this.reputations.ofDomains(Scope.of(account),
					domains.stream().filter((domain) -> domain.accountId().equals(account)).map(Domain::id).toList(),
					from))
			.flatMapIterable(Map::entrySet)
			.collectMap(Map.Entry::getKey, Map.Entry::getValue)
			.map((figures) -> domains.stream()
				.distinct()
				.collect(
						Collectors.toMap(Function.identity(), (domain) -> figures.getOrDefault(domain.id(), NOTHING))));
	}

	@SchemaMapping
	String day(DayFigures figures) {
		return figures.day().toString();
	}

	private ReportPeriod period(int days, @Nullable UUID domainId) {
		if (days < 1 || days > MAX_DAYS) {
			String message = "must be a whole number from 1 to " + MAX_DAYS;
			throw INVALID.because("days " + message, List.of(new Refusal.Detail("days", message)));
		}
		return new ReportPeriod(domainId, today().minusDays(days - 1L), null);
	}

	private LocalDate today() {
		return LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
	}

}
