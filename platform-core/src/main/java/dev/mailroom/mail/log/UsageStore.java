package dev.mailroom.mail.log;

import java.time.Instant;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the usage feature. */
@Repository
class UsageStore {

	private final DatabaseClient database;

	UsageStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Counts> counts(Scope scope, Instant at) {
		return this.database
			.sql("""
					with used as (
					    select period, used from quota_use
					     where account_id = :account and starts_on = date_trunc(period, :at at time zone 'UTC')::date),
					book as (
					    select count(*) as books, coalesce(sum(contacts), 0)::bigint as contacts from contact_book
					     where account_id = :account)
					select account.plan, coalesce(account.daily_limit, plan.daily_limit) as daily_limit,
					       coalesce(account.monthly_limit, plan.monthly_limit) as monthly_limit, plan.domain_limit, plan.contact_book_limit,
					       plan.contact_limit, book.books, book.contacts,
					       coalesce((select used from used where period = 'day'), 0) as day,
					       coalesce((select used from used where period = 'month'), 0) as month,
					       (select count(*) from domain where account_id = :account) as domains
					  from account join plan on plan.name = account.plan cross join book
					 where account.id = :account
					""")
			.bind("account", scope.account())
			.bind("at", at)
			.mapProperties(Counts.class)
			.one();
	}

	/** Usage and limits; a null limit is none. */
	record Counts(String plan, long day, long month, long domains, long books, long contacts, @Nullable Long dailyLimit,
			@Nullable Long monthlyLimit, @Nullable Long domainLimit, @Nullable Long contactBookLimit,
			@Nullable Long contactLimit) {
	}

}
