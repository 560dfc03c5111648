package dev.mailroom.autopause;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class AutoPauseStore {

	private final DatabaseClient database;

	AutoPauseStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * How those fared lately that may be paused, and of whose mails some came back. What
	 * a relay took over counts as delivered at once here: its bounces do too.
	 */
	@AcrossAccounts("every account's figures are watched")
	Flux<AutoPause.Seen> seen(int days) {
		return this.database.sql("""
				select account.id as account_id, sum(delivered + sent)::bigint as delivered,
				       sum(hard_bounced)::bigint as hard_bounced, sum(complained)::bigint as complained
				  from reputation_day join account on account.id = reputation_day.account_id
				 where day > (now() at time zone 'UTC')::date - :days
				   and (account.counted_from is null or day >= account.counted_from)
				   and account.role = 'tenant' and account.paused_reason is null
				 group by account.id having sum(hard_bounced) > 0 or sum(complained) > 0
				""").bind("days", days).mapProperties(AutoPause.Seen.class).all();
	}

	/** Pauses an account that is not paused, and keeps that its owner is to be told. */
	Mono<Long> pause(Scope scope, String reason) {
		return this.database.sql("""
				update account set paused_reason = :reason, pause_notice = true
				 where id = :account and paused_reason is null and role = 'tenant'
				""").bind("reason", reason).bind("account", scope.account()).fetch().rowsUpdated();
	}

	/** Lifts a pause; what was until today does not count again. */
	Mono<Long> lift(Scope scope) {
		return this.database.sql("""
				update account set paused_reason = null, pause_notice = false,
				                   counted_from = (now() at time zone 'UTC')::date + 1
				 where id = :account and paused_reason is not null
				""").bind("account", scope.account()).fetch().rowsUpdated();
	}

	/** Owners to be told, who have shown that they read their mail. */
	@AcrossAccounts("every account's owner is told")
	Flux<AutoPause.Notice> notices(int most) {
		return this.database.sql("""
				select id as account_id, email as owner, paused_reason as reason from account
				 where pause_notice and paused_reason is not null and email_verified_at is not null limit :most
				""").bind("most", most).mapProperties(AutoPause.Notice.class).all();
	}

	Mono<Void> told(Scope scope) {
		return this.database.sql("update account set pause_notice = false where id = :account")
			.bind("account", scope.account())
			.then();
	}

}
