package dev.mailroom.reputation;

import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** How receivers take what an account sends; an API key sees its own domain. */
@Service
public class Reputations {

	private static final int TOP = 5;

	private final ReputationStore store;

	private final CorrectionStore corrections;

	private final Transactions transactions;

	Reputations(ReputationStore store, CorrectionStore corrections, Transactions transactions) {
		this.store = store;
		this.corrections = corrections;
		this.transactions = transactions;
	}

	/**
	 * Counts what became of a group's mails. Call it inside the transaction that settles
	 * them, as its last act: a domain's row is held from here to the commit.
	 */
	public Mono<Void> count(List<ReputationCount> marks) {
		if (marks.isEmpty()) {
			return Mono.empty();
		}
		List<ReputationCount> bad = marks.stream().filter((mark) -> mark.cause() != null).toList();
		return this.store.count(marks).then(bad.isEmpty() ? Mono.empty() : Mono.defer(() -> this.store.blame(bad)));
	}

	/**
	 * Counts anew what was counted otherwise on an earlier day. As {@link #count}, it is
	 * its transaction's last act.
	 */
	public Mono<Void> correct(List<Correction> corrections) {
		if (corrections.isEmpty()) {
			return Mono.empty();
		}
		List<ReputationCount> bad = corrections.stream()
			.map(Correction::mark)
			.filter((mark) -> mark.cause() != null)
			.toList();
		return this.corrections.count(corrections)
			.then(bad.isEmpty() ? Mono.empty() : Mono.defer(() -> this.store.blame(bad)));
	}

	/** How mails fared; zeros where nothing of the sort was sent. */
	public Mono<Figures> figures(Scope scope, ReportPeriod span) {
		return this.transactions.in(scope, this.store.figures(scope, span));
	}

	/** The same with what it came of. */
	public Mono<Report> report(Scope scope, ReportPeriod span) {
		Mono<Report> report = this.store.figures(scope, span)
			.flatMap((figures) -> this.store.causes(scope, span, TOP)
				.collectList()
				.map((causes) -> new Report(figures, causes)));
		return this.transactions.in(scope, report);
	}

}
