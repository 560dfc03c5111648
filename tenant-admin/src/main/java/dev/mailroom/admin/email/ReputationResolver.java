package dev.mailroom.admin.email;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.domain.Domain;
import dev.mailroom.mail.outcome.Reputations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Reputation of an account. */
@Controller
class ReputationResolver {

	private static final int MAX_DAYS = 90;

	private static final int ISO_DAY_LENGTH = 10;

	private static final int WEEK = 7;

	private static final Reputations.Figures NOTHING = new Reputations.Figures(0, 0, 0);

	private final Reputations reputations;

	private final Clock clock;

	ReputationResolver(Reputations reputations, Clock clock) {
		this.reputations = reputations;
		this.clock = clock;
	}

	@SchemaMapping
	Mono<Reputations.Report> reputation(Viewer viewer, @Argument int days, @Argument @Nullable UUID domainId,
			@Argument @Nullable String from, @Argument @Nullable String to) {
		return Mono.defer(() -> this.reputations.report(viewer.scope(), period(days, domainId, from, to)));
	}

	@SchemaMapping
	Mono<List<Reputations.DayFigures>> dailyFigures(Viewer viewer, @Argument int days,
			@Argument @Nullable UUID domainId, @Argument @Nullable String from, @Argument @Nullable String to) {
		return Mono.defer(() -> this.reputations.days(viewer.scope(), period(days, domainId, from, to)));
	}

	/** Counts of the last seven days of all domains of a list, by account. */
	@BatchMapping(typeName = "Domain")
	Mono<Map<Domain, Reputations.Figures>> week(List<Domain> domains) {
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
	String day(Reputations.DayFigures figures) {
		return figures.day().toString();
	}

	/** The days from and to, of which the first takes precedence over their number. */
	private Reputations.Period period(int days, @Nullable UUID domainId, @Nullable String from, @Nullable String to) {
		if (days < 1 || days > MAX_DAYS) {
			throw invalid("days", "must be a whole number from 1 to " + MAX_DAYS);
		}
		LocalDate last = (to != null) ? day("to", to) : today();
		LocalDate first = (from != null) ? day("from", from) : last.minusDays(days - 1L);
		if (last.isBefore(first)) {
			throw invalid("to", "must not be before from");
		}
		if (first.plusDays(MAX_DAYS - 1L).isBefore(last)) {
			throw invalid("from", "must be one of the " + MAX_DAYS + " days that end with to");
		}
		return new Reputations.Period(domainId, first, last);
	}

	private static LocalDate day(String argument, String text) {
		try {
			if (text.length() == ISO_DAY_LENGTH) {
				return LocalDate.parse(text);
			}
		}
		catch (DateTimeException _) {
			// Refused below, like a year of more than four digits.
		}
		throw invalid(argument, "must be a day, such as 2026-11-21");
	}

	private static Refused invalid(String argument, String message) {
		return Refusal.INVALID_REQUEST.field(argument, message);
	}

	private LocalDate today() {
		return LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
	}

}
