package dev.mailroom.operator;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the automatic pause. */
@Repository
class AutoPauseStore {

	private final DatabaseClient database;

	AutoPauseStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Counts of accounts with bounces or complaints that are not paused. Mail accepted by
	 * a relay counts as delivered at once, because its bounces count at once too. Reports
	 * whose sender is not known do not count, because any recipient can forge them.
	 */
	@AcrossAccounts("the rates of every account are observed")
	Flux<AutoPause.Rates> rates(int days) {
		return this.database
			.sql("""
					select account.id as account_id, sum(delivered + sent)::bigint as delivered,
					       sum(hard_bounced - unverified_bounced)::bigint as hard_bounced,
					       sum(complained - unverified_complained)::bigint as complained
					  from reputation_day join account on account.id = reputation_day.account_id
					 where day > (now() at time zone 'UTC')::date - :days
					   and (account.counted_from is null or day >= account.counted_from)
					   and account.role = 'tenant' and account.paused_reason is null
					 group by account.id having sum(hard_bounced - unverified_bounced) > 0 or sum(complained - unverified_complained) > 0
					""")
			.bind("days", days)
			.mapProperties(AutoPause.Rates.class)
			.all();
	}

	/** Owners to be notified, with a verified address. */
	@AcrossAccounts("the owners of all accounts are notified")
	Flux<AutoPause.Notice> notices(int limit) {
		return this.database.sql("""
				select id as account_id, email as owner, paused_reason as reason from account
				 where pause_notice and paused_reason is not null and email_verified_at is not null limit :limit
				""").bind("limit", limit).mapProperties(AutoPause.Notice.class).all();
	}

}
