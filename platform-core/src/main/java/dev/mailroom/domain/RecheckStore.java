package dev.mailroom.domain;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.domain.DomainWatch.DueDomain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the regular checks of domains and of the notices about lost records. */
@Repository
class RecheckStore {

	private final DatabaseClient database;

	RecheckStore(DatabaseClient database) {
		this.database = database;
	}

	/** Takes domains that are due and postpones their next check by an interval. */
	@AcrossAccounts("the domains of all accounts are checked")
	Flux<DueDomain> takeDue(int limit, Duration recheck) {
		return this.database.sql("""
				with due as (
				    select id from domain where recheck_at <= now()
				     order by recheck_at limit :limit for update skip locked)
				update domain set recheck_at = now() + :recheck * interval '1 millisecond'
				  from due where domain.id = due.id
				returning domain.id, domain.account_id
				""").bind("limit", limit).bind("recheck", recheck.toMillis()).mapProperties(DueDomain.class).all();
	}

	/** Notices to send to owners with a verified address. */
	@AcrossAccounts("the owners of all accounts are notified")
	Flux<LostRecords> losses(int limit, Duration grace) {
		return this.database.sql("""
				select domain.id, domain.account_id, domain.name, domain.notice, account.email as owner,
				       failing_since as since, failing_since + :grace * interval '1 millisecond' as until,
				       coalesce((select string_agg(record.value ->> 'error', E'\\n' order by record.key desc)
				                   from jsonb_each(domain.checks) as record(key, value)
				                  where record.value ->> 'status' = 'failed'), '') as lost
				  from domain join account on account.id = domain.account_id
				 where domain.notice is not null and account.email_verified_at is not null
				 order by failing_since limit :limit
				""").bind("limit", limit).bind("grace", grace.toMillis()).mapProperties(LostRecords.class).all();
	}

	/** Clears a notice that was sent, but not one that has replaced it since. */
	Mono<Void> clearNotice(LostRecords loss) {
		return this.database
			.sql("update domain set notice = null where id = :id and account_id = :account and notice = :notice")
			.bind("id", loss.id())
			.bind("account", loss.accountId())
			.bind("notice", loss.notice())
			.then();
	}

}
