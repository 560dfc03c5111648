package dev.mailroom.operator;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the automatic pause. */
@Repository
class AutoPauseStore {

	/**
	 * Counts of accounts with bounces or complaints that are not paused. Mail accepted by
	 * a relay counts as delivered at once, because its bounces count at once too. Reports
	 * whose sender is not known do not count, because any recipient can forge them.
	 */
	@AcrossAccounts("the rates of every account are observed")
	List<AutoPause.Rates> rates(JdbcClient jdbc, int days) {
		return SqlStatement
			.of("""
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
			.list(jdbc,
					(row) -> new AutoPause.Rates(value(row, "account_id", UUID.class),
							value(row, "delivered", Long.class), value(row, "hard_bounced", Long.class),
							value(row, "complained", Long.class)));
	}

	/** Owners to be notified, with a verified address. */
	@AcrossAccounts("the owners of all accounts are notified")
	List<AutoPause.Notice> notices(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				select id as account_id, paused_reason as reason from account
				 where pause_notice and paused_reason is not null and email_verified_at is not null limit :limit
				""")
			.bind("limit", limit)
			.list(jdbc, (row) -> new AutoPause.Notice(value(row, "account_id", UUID.class), text(row, "reason")));
	}

}
