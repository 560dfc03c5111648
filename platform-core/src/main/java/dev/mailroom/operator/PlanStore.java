package dev.mailroom.operator;

import dev.mailroom.AcrossAccounts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of plans. */
@Repository
@AcrossAccounts("plans belong to no account")
class PlanStore {

	private static final String PLANS = """
			select plan.*, (select count(*) from account where account.plan = plan.name and account.role <> 'member') as accounts from plan
			""";

	private final DatabaseClient database;

	PlanStore(DatabaseClient database) {
		this.database = database;
	}

	Flux<Plan> list() {
		return this.database.sql(PLANS + " order by name").mapProperties(Plan.class).all();
	}

	Mono<Plan> find(String name) {
		return this.database.sql(PLANS + " where name = :name").bind("name", name).mapProperties(Plan.class).one();
	}

	Mono<Void> save(Plan plan) {
		DatabaseClient.GenericExecuteSpec save = this.database.sql("""
				insert into plan (name, daily_limit, monthly_limit, domain_limit, contact_book_limit, contact_limit)
				values (:name, :daily, :monthly, :domains, :books, :contacts)
				on conflict (name) do update
				   set daily_limit = excluded.daily_limit, monthly_limit = excluded.monthly_limit,
				       domain_limit = excluded.domain_limit, contact_book_limit = excluded.contact_book_limit,
				       contact_limit = excluded.contact_limit
				""").bind("name", plan.name());
		save = limit(save, "daily", plan.dailyLimit());
		save = limit(save, "monthly", plan.monthlyLimit());
		save = limit(save, "domains", plan.domainLimit());
		save = limit(save, "books", plan.contactBookLimit());
		return limit(save, "contacts", plan.contactLimit()).then();
	}

	private static DatabaseClient.GenericExecuteSpec limit(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable Long value) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, Long.class);
	}

}
