package dev.mailroom.fleet;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the workers. */
@Repository
@AcrossAccounts("workers belong to no account")
class WorkerStore {

	private final DatabaseClient database;

	WorkerStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Void> save(UUID id, String host, boolean dispatching, Instant startedAt) {
		return this.database.sql("""
				insert into worker (id, host, dispatching, started_at, seen_at)
				values (:id, :host, :dispatching, :started, now())
				on conflict (id) do update set dispatching = excluded.dispatching, seen_at = excluded.seen_at
				""")
			.bind("id", id)
			.bind("host", host)
			.bind("dispatching", dispatching)
			.bind("started", startedAt)
			.then();
	}

	Mono<Void> deleteOld() {
		return this.database.sql("delete from worker where seen_at < now() - interval '1 day'").then();
	}

	/** Each report of a destination behind the relay has all connections to it. */
	Flux<Worker> list() {
		return this.database.sql("""
				with reported as (
				    select worker_id, count(*) as destinations, sum(handed)::bigint as rate,
				           coalesce(sum(connections) filter (where transport <> 'relay'), 0)
				               + coalesce(max(connections) filter (where transport = 'relay'), 0) as connections
				      from destination_report where seen_at > now() - interval '30 seconds' group by worker_id)
				select id, host, dispatching, started_at, seen_at, seen_at < now() - interval '1 minute' as away,
				       coalesce(destinations, 0) as destinations, coalesce(connections, 0) as connections,
				       coalesce(rate, 0) as rate
				  from worker left join reported on reported.worker_id = worker.id
				 order by seen_at desc, id limit 1000
				""").mapProperties(Worker.class).all();
	}

}
