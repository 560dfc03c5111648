package dev.mailroom.operator;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Flux;

import org.springframework.jdbc.core.simple.JdbcClient;
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

	/** Records that a worker runs, and deletes those not seen for a day. */
	void save(JdbcClient jdbc, Worker.Report report) {
		SqlStatement.of("""
				with old as (
				    delete from worker where seen_at < now() - interval '1 day' and id <> :id)
				insert into worker (id, host, dispatching, started_at, seen_at, draining, in_hand, sender_threads,
				                    busy_threads)
				values (:id, :host, :dispatching, :started, now(), :draining, :in_hand, :threads, :busy)
				on conflict (id) do update
				   set dispatching = excluded.dispatching, seen_at = excluded.seen_at, draining = excluded.draining,
				       in_hand = excluded.in_hand,
				       sender_threads = excluded.sender_threads, busy_threads = excluded.busy_threads
				""")
			.bind("id", report.id())
			.bind("host", report.host())
			.bind("dispatching", report.dispatching())
			.bind("started", report.startedAt())
			.bind("draining", report.draining())
			.bind("in_hand", report.inHand())
			.bind("threads", report.senderThreads())
			.bind("busy", report.busyThreads())
			.update(jdbc);
	}

	/** Number of workers that send, at least the one that asks. */
	int running(JdbcClient jdbc) {
		return SqlStatement
			.of("select count(*)::int from worker where not draining and seen_at > now() - interval '30 seconds'")
			.value(jdbc, Integer.class);
	}

	/**
	 * Each report of a destination has all connections to the relay, or to its site. A
	 * draining worker that no longer reports has ended normally.
	 */
	Flux<Worker> list() {
		return this.database
			.sql("""
					with site as (
					    select worker_id, count(*) as destinations, sum(handed) as handed, max(connections) as connections
					      from destination_report where seen_at > now() - interval '30 seconds'
					     group by worker_id, coalesce(site, case when transport = 'relay' then 'relay' else destination end)),
					reported as (
					    select worker_id, sum(destinations)::bigint as destinations, sum(handed)::bigint as rate,
					           sum(connections)::bigint as connections
					      from site group by worker_id)
					select id, host, dispatching, started_at, seen_at, seen_at < now() - interval '1 minute' as away,
					       coalesce(destinations, 0) as destinations, coalesce(connections, 0) as connections,
					       coalesce(rate, 0) as rate, draining, in_hand, sender_threads, busy_threads
					  from worker left join reported on reported.worker_id = worker.id
					 where not draining or seen_at > now() - interval '15 seconds'
					 order by seen_at desc, id limit 1000
					""")
			.mapProperties(Worker.class)
			.all();
	}

}
