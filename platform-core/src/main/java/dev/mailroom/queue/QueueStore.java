package dev.mailroom.queue;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of leased deliveries. Each statement handles many rows of several accounts. */
@Repository
@AcrossAccounts("the queue serves every account; its callers take the role that sees them all")
class QueueStore {

	private static final String LEASES = "unnest(:ids::uuid[], :epochs::int[]) as held(id, epoch)";

	/**
	 * Matches rows that are leased and not yet fenced; {@code lease} and {@code queue}
	 * are joined. A lease that was taken back does not match, even if it is still visible
	 * to the statement.
	 */
	private static final String LEASED = "queue.data_until is null and queue.epoch <> lease.epoch";

	/** Matches leased rows and those that passed the fence under the same lease. */
	private static final String HELD = "(queue.data_until is null) = (queue.epoch <> lease.epoch)";

	/** Waiting deliveries that are counted one by one. */
	private static final int MAX_COUNTED = 20_000;

	private final DatabaseClient database;

	QueueStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Marks leased rows as being handed over and counts an attempt. Rows that are barred
	 * stay leased; rows whose lease is void or whose account is paused are not returned.
	 */
	Flux<Fences.FencedRow> fence(List<Lease> leases, Duration dataLease, RetrySchedule retries) {
		return bind("""
				with locked as (
				    select queue.id, lease.epoch, queue.account_id, queue.email_id, queue.recipient, queue.attempt,
				           queue.ambiguous, queue.contact_id,
				           exists (select from suppression
				                    where suppression.account_id = queue.account_id
				                      and suppression.address = lower(queue.recipient))
				               or queue.contact_id is not null and not exists (
				                   select from contact
				                    where contact.id = queue.contact_id and contact.account_id = queue.account_id
				                      and contact.subscribed) as suppressed,
				           queue.ambiguous > 0
				               and (queue.attempt > (case when queue.campaign then :campaign_delays else :delays end)
				                    or queue.attempt >= :min_attempts
				                       and now() - (select greatest(scheduled_at, created_at) from email
				                                     where email.id = queue.email_id)
				                           > (case when queue.campaign then :campaign_max_age else :max_age end)
				                             * interval '1 millisecond') as exhausted
				      from %1$s join lease using (id, epoch) join queue using (id)
				      join account on account.id = queue.account_id and account.paused_reason is null
				     where %2$s and queue.ready and lease.until > now()
				     order by queue.id for update of queue),
				passed as (
				    update queue set data_until = now() + :lease * interval '1 millisecond', epoch = locked.epoch,
				                     attempt = queue.attempt + 1
				      from locked where queue.id = locked.id and not locked.suppressed and not locked.exhausted
				    returning queue.id)
				select * from locked where suppressed or exhausted or id in (select id from passed)
				""", leases, LEASED).bind("lease", dataLease.toMillis())
			.bind("max_age", retries.transactional().maxAge().toMillis())
			.bind("campaign_max_age", retries.campaign().maxAge().toMillis())
			.bind("delays", retries.transactional().delays().size())
			.bind("campaign_delays", retries.campaign().delays().size())
			.bind("min_attempts", RetrySchedule.MIN_ATTEMPTS)
			.map(Fences.FencedRow::of)
			.all();
	}

	/** Returns leased rows to the queue; without a delay they keep their place in it. */
	Mono<Void> postpone(List<Lease> leases, Duration delay) {
		return bind("""
				with locked as (
				    select queue.id, lease.epoch from %1$s join lease using (id, epoch) join queue using (id)
				     where %2$s order by queue.id for update of queue),
				returned as (
				    delete from lease using locked where lease.id = locked.id)
				update queue set epoch = locked.epoch, ready = ready and :delay = 0,
				       due_at = case when :delay > 0 then now() + :delay * interval '1 millisecond' else due_at end
				  from locked where queue.id = locked.id
				""", leases, LEASED).bind("delay", delay.toMillis()).then();
	}

	/**
	 * Returns fenced rows whose hand-over was not begun to the queue, without counting
	 * the attempt.
	 * @param maxDelay upper limit of a random delay
	 */
	Mono<Void> unfence(List<Lease> leases, Duration maxDelay) {
		return bind("""
				with locked as (
				    select queue.id, lease.epoch from %1$s join lease using (id, epoch) join queue using (id)
				     where %2$s order by queue.id for update of queue),
				returned as (
				    delete from lease using locked where lease.id = locked.id)
				update queue set attempt = attempt - (data_until is not null)::int, data_until = null,
				       epoch = locked.epoch, ready = false,
				       due_at = now() + random() * :delay * interval '1 millisecond'
				  from locked where queue.id = locked.id
				""", leases, HELD).bind("delay", maxDelay.toMillis()).then();
	}

	/**
	 * Counts deliveries by phase. Waiting deliveries are counted up to a limit; above it
	 * PostgreSQL's estimate is used, which vacuum updates, so that a long queue is read
	 * as fast as a short one.
	 */
	Flux<Queue.Depth> depth() {
		return this.database
			.sql("""
					with held as materialized (
					    select case when data_until is null then 'leased' else 'in_data' end as phase, due_at
					      from lease join queue using (id)),
					ready as materialized (
					    select case when n <= :max_counted then n else greatest(n, reltuples) end - (select count(*) from held) as n
					      from (select count(*) as n from (select from queue where ready limit :max_counted + 1) as sample) as counted,
					           pg_class where oid = 'queue_ready'::regclass),
					later as materialized (
					    select case when n <= :max_counted then n else greatest(n, reltuples) end as n
					      from (select count(*) as n from (select from queue where not ready limit :max_counted + 1) as sample) as counted,
					           pg_class where oid = 'queue_later'::regclass)
					select 'queued' as phase, greatest(n, 0)::bigint as count,
					       coalesce(extract(epoch from now() - (
					           select due_at from queue
					            where ready and not exists (select from lease where lease.id = queue.id)
					            order by due_at limit 1)), 0)::float8 as oldest_seconds
					  from ready
					union all
					select 'scheduled', n::bigint, 0 from later
					union all
					select phase, count(*), extract(epoch from now() - min(due_at))::float8 from held group by phase
					""")
			.bind("max_counted", MAX_COUNTED)
			.mapProperties(Queue.Depth.class)
			.all();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, List<Lease> leases, String phase) {
		return this.database.sql(sql.formatted(LEASES, phase))
			.bind("ids", leases.stream().map(Lease::delivery).toArray(UUID[]::new))
			.bind("epochs", leases.stream().map(Lease::epoch).toArray(Integer[]::new));
	}

}
