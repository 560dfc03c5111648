package dev.mailroom.readiness;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.readiness.ReadinessCheck.Result;
import dev.mailroom.readiness.ReadinessCheck.Rule;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the checks of logos. */
@Repository
class BimiStore {

	private final DatabaseClient database;

	BimiStore(DatabaseClient database) {
		this.database = database;
	}

	/** Result of the last check; empty if there was none. */
	Mono<ReadinessCheck> find(Scope scope, UUID domain) {
		return SqlStatement.of("""
				select result, finding, fix from bimi_check
				 where domain_id = :domain and account_id = :account and checked_at is not null
				""")
			.bind("domain", domain)
			.bind("account", scope.account())
			.on(this.database)
			.map((row) -> new ReadinessCheck(Rule.BIMI, Result.valueOf(text(row, "result").toUpperCase(Locale.ROOT)),
					text(row, "finding"), row.get("fix", String.class)))
			.one();
	}

	/** Makes a domain due. */
	Mono<Long> checkNow(Scope scope, UUID domain) {
		return this.database.sql("""
				insert into bimi_check (domain_id, account_id, check_at)
				select id, account_id, now() from domain where id = :domain and account_id = :account
				on conflict (domain_id) do update set check_at = now()
				""").bind("domain", domain).bind("account", scope.account()).fetch().rowsUpdated();
	}

	/** Adds domains that have no row, which are due within an interval. */
	@AcrossAccounts("the domains of all accounts are checked")
	void add(JdbcClient jdbc, Duration within) {
		SqlStatement.of("""
				insert into bimi_check (domain_id, account_id, check_at)
				select id, account_id, now() + random() * :within * interval '1 millisecond' from domain
				 where not exists (select from bimi_check where domain_id = domain.id)
				on conflict (domain_id) do nothing
				""").bind("within", within.toMillis()).update(jdbc);
	}

	/** Takes domains that are due, which are due again after a time. */
	@AcrossAccounts("the domains of all accounts are checked")
	List<BimiChecks.Due> takeDue(JdbcClient jdbc, int limit, Duration again) {
		return SqlStatement.of("""
				with due as (
				    select domain_id from bimi_check where check_at <= now()
				     order by check_at limit :limit for update skip locked)
				update bimi_check set check_at = now() + :again * interval '1 millisecond'
				  from due where bimi_check.domain_id = due.domain_id
				returning bimi_check.domain_id, bimi_check.account_id
				""")
			.bind("limit", limit)
			.bind("again", again.toMillis())
			.list(jdbc, (row) -> new BimiChecks.Due(value(row, "domain_id", UUID.class),
					value(row, "account_id", UUID.class)));
	}

	/** Stores the result of a check; one that was asked for meanwhile is not put off. */
	void save(JdbcClient jdbc, Scope scope, UUID domain, ReadinessCheck check, Duration nextIn) {
		SqlStatement.of("""
				update bimi_check
				   set result = :result, finding = :finding, fix = nullif(:fix, ''), checked_at = now(),
				       check_at = case when check_at > now() then now() + :next * interval '1 millisecond'
				                       else check_at end
				 where domain_id = :domain and account_id = :account
				""")
			.bind("domain", domain)
			.bind("account", scope.account())
			.bind("result", check.result().contractName())
			.bind("finding", check.finding())
			.bind("fix", (check.fix() != null) ? check.fix() : "")
			.bind("next", nextIn.toMillis())
			.update(jdbc);
	}

}
