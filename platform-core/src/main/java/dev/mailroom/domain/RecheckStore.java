package dev.mailroom.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.domain.DomainWatch.DueDomain;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the regular checks of domains and of the notices about lost records. */
@Repository
class RecheckStore {

	/** Takes domains that are due and postpones their next check by an interval. */
	@AcrossAccounts("the domains of all accounts are checked")
	List<DueDomain> takeDue(JdbcClient jdbc, int limit, Duration recheck) {
		return SqlStatement.of("""
				with due as (
				    select id from domain where recheck_at <= now()
				     order by recheck_at limit :limit for update skip locked)
				update domain set recheck_at = now() + :recheck * interval '1 millisecond'
				  from due where domain.id = due.id
				returning domain.id, domain.account_id
				""")
			.bind("limit", limit)
			.bind("recheck", recheck.toMillis())
			.list(jdbc, (row) -> new DueDomain(value(row, "id", UUID.class), value(row, "account_id", UUID.class)));
	}

	/** Notices to send to owners with a verified address. */
	@AcrossAccounts("the owners of all accounts are notified")
	List<LostRecords> losses(JdbcClient jdbc, int limit, Duration grace) {
		return SqlStatement.of("""
				select domain.id, domain.account_id, domain.name, domain.notice,
				       failing_since as since, failing_since + :grace * interval '1 millisecond' as until,
				       coalesce((select string_agg(record.value ->> 'error', E'\\n' order by record.key desc)
				                   from jsonb_each(domain.checks) as record(key, value)
				                  where record.value ->> 'status' = 'failed'), '') as lost
				  from domain join account on account.id = domain.account_id
				 where domain.notice is not null and account.email_verified_at is not null
				 order by failing_since limit :limit
				""")
			.bind("limit", limit)
			.bind("grace", grace.toMillis())
			.list(jdbc,
					(row) -> new LostRecords(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
							text(row, "name"), text(row, "notice"), value(row, "since", Instant.class),
							value(row, "until", Instant.class), text(row, "lost")));
	}

	/** Clears a notice that was sent, but not one that has replaced it since. */
	void clearNotice(JdbcClient jdbc, LostRecords loss) {
		SqlStatement.of("update domain set notice = null where id = :id and account_id = :account and notice = :notice")
			.bind("id", loss.id())
			.bind("account", loss.accountId())
			.bind("notice", loss.notice())
			.update(jdbc);
	}

}
