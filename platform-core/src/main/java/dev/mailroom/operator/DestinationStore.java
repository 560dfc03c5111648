package dev.mailroom.operator;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the state of destinations. */
@Repository
@AcrossAccounts("operators watch the whole platform")
class DestinationStore {

	private final DatabaseClient database;

	DestinationStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Recipient domains that are held, have deferred mail, or were contacted recently, in
	 * this order; those with most mail first.
	 */
	Flux<Destination> list(int limit) {
		return this.database
			.sql("""
					with waiting as materialized (
					    select destination, count(*) as waiting, count(*) filter (where attempt > 0) as deferred,
					           count(*) filter (where data_until is not null) as in_hand, max(attempt) as attempts,
					           min(due_at) filter (where attempt > 0 and held is null) as next_at,
					           max(id::text) filter (where attempt > 0) as newest
					      from queue group by destination),
					reported as materialized (
					    select destination, sum(connections) as connections, sum(connection_limit) as connection_limit,
					           max(case circuit when 'open' then 2 when 'half_open' then 1 else 0 end) as circuit,
					           min(closed_until) as closed_until, sum(handed) as handed, sum(unreached) as unreached,
					           sum(busy) as busy, sum(distrusted) as distrusted, sum(mailbox) as mailbox,
					           sum(other) as other
					      from destination_report where seen_at > now() - interval '30 seconds' group by destination),
					held as materialized (
					    select destination, reason, held_by, held_at, until from destination_hold where released_at is null),
					shown as (
					    select destination from waiting where attempts > 0
					     union select destination from reported
					     union select destination from held)
					select destination as domain, coalesce(waiting, 0)::bigint as waiting,
					       coalesce(deferred, 0)::bigint as deferred, coalesce(in_hand, 0)::bigint as in_hand,
					       coalesce(attempts, 0) as attempts, coalesce(next_at, now()) as next_at, delivery.reply,
					       coalesce(connections, 0)::bigint as connections,
					       coalesce(connection_limit, 0)::bigint as connection_limit, coalesce(circuit, 0) as circuit,
					       closed_until, coalesce(handed, 0)::bigint as handed, coalesce(unreached, 0)::bigint as unreached,
					       coalesce(busy, 0)::bigint as busy, coalesce(distrusted, 0)::bigint as distrusted,
					       coalesce(mailbox, 0)::bigint as mailbox, coalesce(other, 0)::bigint as other,
					       held.reason, held.held_by, held.held_at, held.until
					  from shown left join waiting using (destination) left join reported using (destination)
					  left join held using (destination) left join delivery on delivery.id = newest::uuid
					 order by held.reason is null, coalesce(deferred, 0) desc, coalesce(handed, 0) desc, domain limit :limit
					""")
			.bind("limit", limit)
			.mapProperties(Destination.class)
			.all();
	}

}
