package dev.mailroom.api.email;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.Accounts;
import dev.mailroom.api.http.Day;
import dev.mailroom.api.http.Success;
import dev.mailroom.mail.outcome.Reputations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for reputation. */
@RestController
@RequestMapping("/analytics")
class ReputationController {

	/** Days covered by a report without the parameter from. */
	private static final int DEFAULT_DAYS = 30;

	private final Reputations reputations;

	private final Accounts accounts;

	private final Clock clock;

	ReputationController(Reputations reputations, Accounts accounts, Clock clock) {
		this.reputations = reputations;
		this.accounts = accounts;
		this.clock = clock;
	}

	/** Counts of all time, unless a period is given. */
	@GetMapping("/reputation-metrics")
	Mono<Metrics> metrics(Scope scope, @RequestParam(name = "domainId", required = false) @Nullable UUID domainId,
			@RequestParam(name = "domain_id", required = false) @Nullable UUID domainIdSnakeCase,
			@RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.fromSupplier(() -> period((domainId != null) ? domainId : domainIdSnakeCase, from, to))
			.flatMap((period) -> this.reputations.figures(scope, period))
			.map(Metrics::of);
	}

	@GetMapping("/reputation")
	Mono<Success> report(Scope scope, @RequestParam(name = "domainId", required = false) @Nullable UUID domainId,
			@RequestParam(name = "domain_id", required = false) @Nullable UUID domainIdSnakeCase,
			@RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.fromSupplier(() -> recent(period((domainId != null) ? domainId : domainIdSnakeCase, from, to)))
			.flatMap((period) -> Mono.zip(this.reputations.report(scope, period), pausedReason(scope),
					(report, reason) -> ReputationView.of(report, period, reason.orElse(null))))
			.map((view) -> Success.of("reputation", view));
	}

	private Mono<Optional<String>> pausedReason(Scope scope) {
		return this.accounts.find(scope)
			.map((account) -> Optional.ofNullable(account.pausedReason()))
			.defaultIfEmpty(Optional.empty());
	}

	private Reputations.Period recent(Reputations.Period requested) {
		LocalDate today = LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
		LocalDate to = (requested.to() != null) ? requested.to() : today;
		return new Reputations.Period(requested.domainId(),
				(requested.from() != null) ? requested.from() : to.minusDays(DEFAULT_DAYS), requested.to());
	}

	private static Reputations.Period period(@Nullable UUID domainId, @Nullable String from, @Nullable String to) {
		@Nullable LocalDate first = Day.read("from", from);
		@Nullable LocalDate last = Day.read("to", to);
		Day.checkOrder(first, last);
		return new Reputations.Period(domainId, first, last);
	}

}
