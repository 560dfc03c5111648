package dev.mailroom.domain;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class RecheckStore {

	private final DatabaseClient database;

	RecheckStore(DatabaseClient database) {
		this.database = database;
	}

	/** Takes domains that are due, and puts off when they are due again. */
	@AcrossAccounts("every account's domains are watched")
	Flux<DomainWatch.Turn> take(int most, Duration recheck) {
		return this.database.sql("""
				with due as (
				    select id from domain where recheck_at <= now()
				     order by recheck_at limit :most for update skip locked)
				update domain set recheck_at = now() + :recheck * interval '1 millisecond'
				  from due where domain.id = due.id
				returning domain.id, domain.account_id
				""").bind("most", most).bind("recheck", recheck.toMillis()).mapProperties(DomainWatch.Turn.class).all();
	}

	/** What is to be told, to owners who have shown that they read their mail. */
	@AcrossAccounts("every account's owner is told")
	Flux<LostRecords> losses(int most, Duration grace) {
		return this.database.sql("""
				select domain.id, domain.account_id, domain.name, domain.notice, account.email as owner,
				       failing_since as since, failing_since + :grace * interval '1 millisecond' as until,
				       coalesce((select string_agg(look.value ->> 'error', E'\\n' order by look.key desc)
				                   from jsonb_each(domain.checks) as look(key, value)
				                  where look.value ->> 'status' = 'failed'), '') as lost
				  from domain join account on account.id = domain.account_id
				 where domain.notice is not null and account.email_verified_at is not null
				 order by failing_since limit :most
				""").bind("most", most).bind("grace", grace.toMillis()).mapProperties(LostRecords.class).all();
	}

	/** Forgets what was told, and nothing that was to be told since. */
	Mono<Void> told(LostRecords loss) {
		return this.database
			.sql("update domain set notice = null where id = :id and account_id = :account and notice = :notice")
			.bind("id", loss.id())
			.bind("account", loss.accountId())
			.bind("notice", loss.notice())
			.then();
	}

}
