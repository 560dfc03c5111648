package dev.mailroom.domain;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of warm-ups. Days are those of the database's clock. */
@Repository
class WarmupStore {

	private final DatabaseClient database;

	WarmupStore(DatabaseClient database) {
		this.database = database;
	}

	Flux<Warmup> findAll(Scope scope, Collection<UUID> domains) {
		return this.database.sql("select * from warmup_today where domain_id = any(:domains) and account_id = :account")
			.bind("domains", domains.toArray(UUID[]::new))
			.bind("account", scope.account())
			.map((row) -> Objects.requireNonNull(Warmup.of(row)))
			.all();
	}

	/** Locks the warm-up of a domain until the transaction ends; empty if it has none. */
	Optional<Warmup> lock(JdbcClient jdbc, Scope scope, UUID domain) {
		return SqlStatement
			.of("select * from warmup_today where domain_id = :domain and account_id = :account for update")
			.bind("domain", domain)
			.bind("account", scope.account())
			.list(jdbc, (row) -> Objects.requireNonNull(Warmup.of(row)))
			.stream()
			.findFirst();
	}

	/**
	 * Adds mails to those of today. A transaction that began before midnight and got the
	 * lock after one that began later counts them on the later day.
	 */
	void count(JdbcClient jdbc, Scope scope, UUID domain, long mails) {
		SqlStatement.of("""
				update domain_warmup
				   set day = case when counted_on >= today then day else day + 1 end,
				       used = :mails + case when counted_on >= today then used else 0 end,
				       counted_on = greatest(counted_on, today)
				  from (select (now() at time zone 'UTC')::date as today) as utc
				 where domain_id = :domain and account_id = :account
				""").bind("domain", domain).bind("account", scope.account()).bind("mails", mails).update(jdbc);
	}

	/** Starts a warm-up; empty if one is in progress. */
	Mono<UUID> start(Scope scope, UUID domain, List<Long> allowances) {
		return this.database
			.sql("""
					insert into domain_warmup (domain_id, account_id, started_at, allowances)
					values (:domain, :account, now(), :allowances)
					on conflict (domain_id) do update
					   set started_at = excluded.started_at, allowances = excluded.allowances, day = 0, counted_on = null, used = 0
					 where not exists (select from warmup_today where warmup_today.domain_id = domain_warmup.domain_id)
					returning domain_id
					""")
			.bind("domain", domain)
			.bind("account", scope.account())
			.bind("allowances", allowances.toArray(Long[]::new))
			.mapValue(UUID.class)
			.one();
	}

	/** Ends a warm-up; empty if there is none. */
	Mono<UUID> stop(Scope scope, UUID domain) {
		return this.database
			.sql("delete from domain_warmup where domain_id = :domain and account_id = :account returning domain_id")
			.bind("domain", domain)
			.bind("account", scope.account())
			.mapValue(UUID.class)
			.one();
	}

}
