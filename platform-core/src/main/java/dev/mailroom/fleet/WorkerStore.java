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

	Flux<Worker> list() {
		return this.database.sql("""
				select id, host, dispatching, started_at, seen_at, seen_at < now() - interval '1 minute' as away
				  from worker order by seen_at desc, id limit 1000
				""").mapProperties(Worker.class).all();
	}

}
