package dev.mailroom.reputation;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** Counts that change after their day. */
@Repository
@AcrossAccounts("late news of a group, each with its own account")
class CorrectionStore {

	private final DatabaseClient database;

	CorrectionStore(DatabaseClient database) {
		this.database = database;
	}

	/** Raises and lowers rows in order, or two groups deadlock. */
	Mono<Void> count(List<Correction> corrections) {
		return this.database.sql("""
				insert into reputation_day as counted
				       (account_id, domain_id, day, delivered, sent, hard_bounced, complained)
				select account_id, domain_id, day,
				       coalesce(sum(change) filter (where sign = 'DELIVERED'), 0),
				       coalesce(sum(change) filter (where sign = 'SENT'), 0),
				       coalesce(sum(change) filter (where sign = 'HARD_BOUNCED'), 0),
				       coalesce(sum(change) filter (where sign = 'COMPLAINED'), 0)
				  from unnest(:accounts::uuid[], :domains::uuid[], :days::date[], :signs::text[], :changes::int[])
				       as correction(account_id, domain_id, day, sign, change)
				 group by account_id, domain_id, day order by account_id, domain_id, day
				on conflict (account_id, domain_id, day) do update
				   set delivered = counted.delivered + excluded.delivered,
				       sent = counted.sent + excluded.sent,
				       hard_bounced = counted.hard_bounced + excluded.hard_bounced,
				       complained = counted.complained + excluded.complained
				""")
			.bind("accounts", corrections.stream().map((one) -> one.mark().accountId()).toArray(UUID[]::new))
			.bind("domains", corrections.stream().map((one) -> one.mark().domainId()).toArray(UUID[]::new))
			.bind("days", corrections.stream().map(Correction::day).toArray(LocalDate[]::new))
			.bind("signs", corrections.stream().map((one) -> one.mark().sign().name()).toArray(String[]::new))
			.bind("changes", corrections.stream().map(Correction::by).toArray(Integer[]::new))
			.then();
	}

}
