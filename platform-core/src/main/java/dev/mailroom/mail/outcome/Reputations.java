package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Reputation of accounts and their domains: deliveries, hard bounces and complaints. A
 * scope with an API key sees only the domain of that key.
 */
@Service
public class Reputations {

	private static final int MAX_CAUSES = 5;

	private final ReputationStore store;

	private final Transactions transactions;

	Reputations(ReputationStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** The counts of a period; zero if nothing was sent. */
	public Mono<ReputationFigures> figures(Scope scope, ReportPeriod period) {
		return this.transactions.list(scope, this.store.figures(scope, period));
	}

	/** The counts since a day of UTC of those of some domains that have any. */
	public Mono<Map<UUID, ReputationFigures>> ofDomains(Scope scope, Collection<UUID> domains, LocalDate from) {
		return this.transactions.in(scope, this.store.ofDomains(scope, domains, from)
			.collectMap(ReputationStore.DomainFigures::domainId, ReputationStore.DomainFigures::figures));
	}

	/** The counts of each day of a period that has any, in order. */
	public Mono<List<DayFigures>> days(Scope scope, ReportPeriod period) {
		return this.transactions.in(scope, this.store.days(scope, period).collectList());
	}

	/** The counts of each of the last days of all accounts together, in order. */
	@AcrossAccounts("operators watch the whole platform")
	public Mono<List<DayFigures>> platformDays(int days) {
		return this.transactions.acrossAccounts(this.store.platformDays(days).collectList());
	}

	/** The counts of a period with their causes. */
	public Mono<ReputationReport> report(Scope scope, ReportPeriod period) {
		Mono<ReputationReport> report = this.store.figures(scope, period)
			.flatMap((figures) -> this.store.causes(scope, period, MAX_CAUSES)
				.collectList()
				.map((causes) -> new ReputationReport(figures, causes)));
		return this.transactions.list(scope, report);
	}

}
