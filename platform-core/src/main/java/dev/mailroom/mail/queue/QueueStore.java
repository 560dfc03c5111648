package dev.mailroom.mail.queue;

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

	private static final String LEASES = "unnest(:ids::uuid[], :epochs::int[]) as input(id, epoch)";

	/**
	 * Matches rows that are leased and not yet fenced; {@code lease} and {@code queue}
	 * are joined. A lease that was taken back does not match, even if it is still visible
	 * to the statement.
	 */
	private static final String LEASED = "queue.data_until is null and queue.epoch <> lease.epoch";

	/** Matches leased rows and those that passed the fence under the same lease. */
	private static final String LEASED_OR_FENCED = "(queue.data_until is null) = (queue.epoch <> lease.epoch)";

	/** Waiting deliveries that are counted one by one. */
	private static final int MAX_READ = 10_000;

	private final DatabaseClient database;

	QueueStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Marks leased rows as being handed over and counts an attempt. Rows that are barred
	 * stay leased; rows whose lease is void or whose account is paused are not returned.
	 * If a pause of a campaign commits meanwhile, the statement waits for its row locks,
	 * reads the rows again and finds them not ready. The size of a content is read from
	 * the pointer to it, not from the content.
	 */
	Flux<FencedRow> fence(List<Lease> leases, Duration dataLease, RetrySchedule retries) {
		return bind(
				"""
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
						                             * interval '1 millisecond') as exhausted,
						           not queue.ready or queue.campaign_id is not null and campaign.status is distinct from 'running'
						               or queue.campaign = any(array(select queue_pause.campaign from queue_pause))
						               or exists (select from destination_hold
						                           where destination_hold.destination = queue.destination
						                             and released_at is null) as held,
						           queue.campaign_id is not null and campaign.id is null as orphaned
						      from %1$s join lease using (id, epoch) join queue using (id)
						      join account on account.id = queue.account_id and account.paused_reason is null
						      left join campaign on campaign.id = queue.campaign_id
						     where %2$s and lease.until > now()
						     order by queue.id for update of queue),
						passed as (
						    update queue set data_until = now() + :lease * interval '1 millisecond', epoch = locked.epoch,
						                     attempt = queue.attempt + 1
						      from locked where queue.id = locked.id and not locked.suppressed and not locked.exhausted
						                        and not locked.held
						    returning queue.id)
						select locked.*, now() + :lease * interval '1 millisecond' as data_until, coalesce(
						           (select coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0) from email_content
						             where email_content.email_id = locked.email_id)
						           + coalesce((select sum(octet_length(content)) from attachment
						                        where attachment.email_id = locked.email_id), 0), 0)::bigint as bytes
						  from locked where suppressed or exhausted or held or id in (select id from passed)
						""",
				leases, LEASED)
			.bind("lease", dataLease.toMillis())
			.bind("max_age", retries.transactional().maxAge().toMillis())
			.bind("campaign_max_age", retries.campaign().maxAge().toMillis())
			.bind("delays", retries.transactional().delays().size())
			.bind("campaign_delays", retries.campaign().delays().size())
			.bind("min_attempts", RetrySchedule.MIN_ATTEMPTS)
			.map(FencedRow::of)
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
	 * Returns rows of a fence whose hand-overs were not begun to the queue, without
	 * counting the attempt. The fence may have been rolled back; a row that another fence
	 * has passed meanwhile is left unchanged.
	 * @param maxDelay upper limit of a random delay
	 */
	Mono<Void> unfence(List<FencedRow> rows, Duration maxDelay) {
		return bind("""
				with locked as (
				    select queue.id, lease.epoch from %1$s join lease using (id, epoch) join queue using (id)
				     where %2$s and coalesce(queue.data_until = :data_until, true)
				     order by queue.id for update of queue),
				returned as (
				    delete from lease using locked where lease.id = locked.id)
				update queue set attempt = attempt - (data_until is not null)::int, data_until = null,
				       epoch = locked.epoch, ready = false,
				       due_at = now() + random() * :delay * interval '1 millisecond'
				  from locked where queue.id = locked.id
				""", rows.stream().map(FencedRow::lease).toList(), LEASED_OR_FENCED).bind("delay", maxDelay.toMillis())
			.bind("data_until", rows.getFirst().dataUntil())
			.then();
	}

	/**
	 * Counts deliveries by phase and stream. Of the deliveries that wait, a limited
	 * number is read; if there are more, their number is PostgreSQL's estimate, which
	 * vacuum updates, in the proportions of those read. A long queue is read as fast as a
	 * short one. Held deliveries are scheduled ones without an age.
	 */
	Flux<Queue.Depth> depth() {
		return this.database
			.sql("""
					with leased as materialized (
					    select case when data_until is null then 'leased' else 'in_data' end as phase, queue.campaign, due_at
					      from lease join queue using (id)),
					sample as materialized (
					    (select id, account_id, 'queue_ready' as source, campaign, due_at from queue where ready
					      order by due_at limit :max_read)
					    union all
					    (select id, account_id, 'queue_later', campaign, due_at from queue where not ready and held is null
					      order by due_at limit :max_read)
					    union all
					    (select id, account_id, 'queue_held', campaign, null from queue where held is not null
					      limit :max_read)),
					size as materialized (
					    select source, case when count(*) < :max_read then 1 else greatest(1, (
					               select reltuples from pg_class where oid = source::regclass) / :max_read) end as factor
					      from sample group by source),
					waiting as (
					    select case when account.paused_reason is not null then 'paused'
					                when source = 'queue_ready' then 'due' else 'scheduled' end as phase, campaign, due_at, factor
					      from sample join size using (source) left join account on account.id = sample.account_id
					     where not exists (select from lease where lease.id = sample.id))
					select phase, case when campaign then 'campaign' else 'transactional' end as stream, count,
					       coalesce(extract(epoch from now() - oldest), 0)::float8 as oldest_seconds
					  from (select phase, campaign, sum(factor)::bigint as count, least(min(due_at), now()) as oldest
					          from waiting group by phase, campaign
					         union all
					        select phase, campaign, count(*), min(due_at) from leased group by phase, campaign) as depth
					""")
			.bind("max_read", MAX_READ)
			.mapProperties(Queue.Depth.class)
			.all();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, List<Lease> leases, String condition) {
		return this.database.sql(sql.formatted(LEASES, condition))
			.bind("ids", leases.stream().map(Lease::delivery).toArray(UUID[]::new))
			.bind("epochs", leases.stream().map(Lease::epoch).toArray(Integer[]::new));
	}

}
