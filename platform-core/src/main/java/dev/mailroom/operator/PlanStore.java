package dev.mailroom.operator;

import dev.mailroom.AcrossAccounts;
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

}
