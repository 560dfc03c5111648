package dev.mailroom.api.reputation;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.Accounts;
import dev.mailroom.api.http.Success;
import dev.mailroom.reputation.ReportPeriod;
import dev.mailroom.reputation.Reputations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What receivers made of the account's mails. */
@RestController
@RequestMapping("/analytics")
class ReputationController {

	/** How far a standing looks back where nothing is said: what is over, is over. */
	private static final int USUAL_DAYS = 30;

	private final Reputations reputations;

	private final Accounts accounts;

	private final Clock clock;

	ReputationController(Reputations reputations, Accounts accounts, Clock clock) {
		this.reputations = reputations;
		this.accounts = accounts;
		this.clock = clock;
	}

	/** Over all time, where nothing else is asked. */
	@GetMapping("/reputation-metrics")
	Mono<Metrics> metrics(Scope scope, @RequestParam(name = "domainId", required = false) @Nullable UUID domainId,
			@RequestParam(name = "domain_id", required = false) @Nullable UUID sameId,
			@RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.fromSupplier(() -> span((domainId != null) ? domainId : sameId, from, to))
			.flatMap((span) -> this.reputations.figures(scope, span))
			.map(Metrics::of);
	}

	@GetMapping("/reputation")
	Mono<Success> standing(Scope scope, @RequestParam(name = "domainId", required = false) @Nullable UUID domainId,
			@RequestParam(name = "domain_id", required = false) @Nullable UUID sameId,
			@RequestParam(required = false) @Nullable String from,
			@RequestParam(required = false) @Nullable String to) {
		return Mono.fromSupplier(() -> recent(span((domainId != null) ? domainId : sameId, from, to)))
			.flatMap((span) -> Mono.zip(this.reputations.report(scope, span), pausedReason(scope),
					(report, reason) -> ReputationView.of(report, span, reason.orElse(null))))
			.map((view) -> Success.of("reputation", view));
	}

	private Mono<Optional<String>> pausedReason(Scope scope) {
		return this.accounts.find(scope)
			.map((account) -> Optional.ofNullable(account.pausedReason()))
			.defaultIfEmpty(Optional.empty());
	}

	private ReportPeriod recent(ReportPeriod asked) {
		LocalDate today = LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
		LocalDate to = (asked.to() != null) ? asked.to() : today;
		return new ReportPeriod(asked.domainId(), (asked.from() != null) ? asked.from() : to.minusDays(USUAL_DAYS),
				asked.to());
	}

	private static ReportPeriod span(@Nullable UUID domainId, @Nullable String from, @Nullable String to) {
		@Nullable LocalDate first = Day.read("from", from);
		@Nullable LocalDate last = Day.read("to", to);
		Day.inOrder(first, last);
		return new ReportPeriod(domainId, first, last);
	}

}
