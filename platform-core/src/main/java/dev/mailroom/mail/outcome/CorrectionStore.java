package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of corrections to the counts of earlier days. */
@Repository
@AcrossAccounts("corrections of a group, each with its own account")
class CorrectionStore {

	private final DatabaseClient database;

	CorrectionStore(DatabaseClient database) {
		this.database = database;
	}

	/** Updates rows in the order of their keys, so that two groups cannot deadlock. */
	Mono<Void> correct(List<Correction> corrections) {
		return this.database.sql("""
				insert into reputation_day as counted
				       (account_id, domain_id, day, delivered, sent, hard_bounced, complained, unverified_bounced,
				        unverified_complained)
				select account_id, domain_id, day,
				       coalesce(sum(change) filter (where metric = 'DELIVERED'), 0),
				       coalesce(sum(change) filter (where metric = 'SENT'), 0),
				       coalesce(sum(change) filter (where metric = 'HARD_BOUNCED'), 0),
				       coalesce(sum(change) filter (where metric = 'COMPLAINED'), 0),
				       coalesce(sum(change) filter (where metric = 'HARD_BOUNCED' and not verified), 0),
				       coalesce(sum(change) filter (where metric = 'COMPLAINED' and not verified), 0)
				  from unnest(:accounts::uuid[], :domains::uuid[], :days::date[], :metrics::text[], :changes::int[],
				              :verified::boolean[])
				       as correction(account_id, domain_id, day, metric, change, verified)
				 group by account_id, domain_id, day order by account_id, domain_id, day
				on conflict (account_id, domain_id, day) do update
				   set delivered = counted.delivered + excluded.delivered,
				       sent = counted.sent + excluded.sent,
				       hard_bounced = counted.hard_bounced + excluded.hard_bounced,
				       complained = counted.complained + excluded.complained,
				       unverified_bounced = counted.unverified_bounced + excluded.unverified_bounced,
				       unverified_complained = counted.unverified_complained + excluded.unverified_complained
				""")
			.bind("accounts",
					corrections.stream().map((correction) -> correction.count().accountId()).toArray(UUID[]::new))
			.bind("domains",
					corrections.stream().map((correction) -> correction.count().domainId()).toArray(UUID[]::new))
			.bind("days", corrections.stream().map(Correction::day).toArray(LocalDate[]::new))
			.bind("metrics",
					corrections.stream().map((correction) -> correction.count().metric().name()).toArray(String[]::new))
			.bind("verified", corrections.stream().map(Correction::verified).toArray(Boolean[]::new))
			.bind("changes", corrections.stream().map(Correction::change).toArray(Integer[]::new))
			.then();
	}

}
