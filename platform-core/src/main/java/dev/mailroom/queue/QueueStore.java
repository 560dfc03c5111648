package dev.mailroom.queue;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the queue. Each statement handles many rows of several accounts. */
@Repository
@AcrossAccounts("the queue serves every account; its callers take the role that sees them all")
class QueueStore {

	private static final String LEASES = "unnest(:ids::uuid[], :epochs::int[]) as lease(id, epoch)";

	/**
	 * Matches leased rows. A plain comparison would let the planner choose the index of
	 * leased rows, but rows with known ids must be found by their ids.
	 */
	private static final String LEASED = "delivery.phase not in ('queued', 'in_data', 'done')";

	/** Matches leased and fenced rows, likewise. */
	private static final String HELD = "delivery.phase not in ('queued', 'done')";

	private final DatabaseClient database;

	QueueStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Leases due rows. Accounts with queued rows are found one by one (a loose index
	 * scan, whose cost depends on the number of accounts and not of rows), and from each
	 * as many rows are taken as its share leaves. The free places of the window are
	 * returned with each row, or in a row of their own if nothing was leased. The
	 * transport is looked up only if the account has a domain with a choice.
	 */
	Flux<Queue.LeasedRow> lease(int window, int share, UUID after, Duration lease, Duration slowBelow) {
		return this.database
			.sql("""
					with recursive tenant as (
					    (select account_id from delivery
					      where phase = 'queued' and account_id > :after order by account_id limit 1)
					    union all
					    select (select account_id from delivery
					             where phase = 'queued' and account_id > tenant.account_id order by account_id limit 1)
					      from tenant where tenant.account_id is not null),
					in_flight as materialized (
					    select account_id, count(*) as n from delivery
					     where phase = 'leased'
					        or (phase = 'in_data' and lease_until > now() + :slow_below * interval '1 millisecond')
					     group by account_id),
					room as materialized (
					    select greatest(0, :window - coalesce(sum(n), 0)) as places from in_flight),
					due as materialized (
					    select next.id from tenant cross join lateral (
					        select id from delivery
					         where account_id = tenant.account_id and phase = 'queued' and due_at <= now()
					         order by due_at, id
					         limit case when exists (select from account
					                                  where id = tenant.account_id and paused_reason is null)
					                    then greatest(0, :share - coalesce(
					                         (select n from in_flight where in_flight.account_id = tenant.account_id), 0))
					                    else 0 end
					         for update skip locked) as next
					     limit (select places from room)),
					leased as (
					    update delivery set phase = 'leased', epoch = epoch + 1,
					           lease_until = now() + :lease * interval '1 millisecond'
					     where id = any(array(select id from due))
					    returning delivery.id, delivery.epoch, delivery.account_id, delivery.email_id, delivery.recipient)
					select places, leased.id, epoch, leased.account_id, recipient,
					       coalesce(choice.transport, (select transport from account
					                                    where account.id = leased.account_id and transport is not null)) as transport,
					       choice.require_tls as requires_tls
					  from room left join leased on true
					  left join lateral (
					      select domain.transport, domain.require_tls from email join domain on domain.id = email.domain_id
					       where email.id = case when exists (select from domain as chosen
					                                           where chosen.account_id = leased.account_id
					                                             and (chosen.transport is not null or chosen.require_tls))
					                             then leased.email_id end
					       offset 0) as choice on true
					""")
			.bind("after", after)
			.bind("share", share)
			.bind("window", window)
			.bind("lease", lease.toMillis())
			.bind("slow_below", slowBelow.toMillis())
			.map(Queue.LeasedRow::of)
			.all();
	}

	/**
	 * Returns rows with an expired lease to the queue. The first ambiguous hand-over is
	 * repeated at once, because the worker may have crashed; later ones wait for the
	 * retry delay, because the server may accept the mail each time without a reply.
	 */
	Mono<Long> recover(RetrySchedule retries) {
		return this.database
			.sql("""
					with expired as (
					    select id, case stream when 'campaign' then :campaign::bigint[] else :transactional::bigint[] end as delays
					      from delivery where phase in ('leased', 'in_data') and lease_until < now()
					     order by id for update skip locked)
					update delivery set phase = 'queued', lease_until = null,
					       due_at = case when phase = 'in_data' and ambiguous > 0
					                     then now() + coalesce(delays[least(greatest(attempt, 1), cardinality(delays))], 0)
					                                  * interval '1 millisecond'
					                     else least(due_at, now()) end,
					       ambiguous = ambiguous + (phase = 'in_data')::int
					  from expired where delivery.id = expired.id
					""")
			.bind("transactional", retries.transactional().delayMillis())
			.bind("campaign", retries.campaign().delayMillis())
			.fetch()
			.rowsUpdated();
	}

	/**
	 * Moves leased rows to {@code in_data} and counts an attempt. Rows that are barred
	 * stay leased; rows whose lease is void or whose account is paused are not returned.
	 */
	Flux<Fences.FencedRow> fence(List<Lease> leases, Duration dataLease, RetrySchedule retries) {
		return bind(
				"""
						with locked as (
						    select delivery.id, delivery.epoch, delivery.account_id, delivery.email_id, delivery.recipient,
						           delivery.attempt, delivery.ambiguous, delivery.contact_id,
						           exists (select from suppression
						                    where suppression.account_id = delivery.account_id
						                      and suppression.address = lower(delivery.recipient))
						               or delivery.contact_id is not null and not exists (
						                   select from contact
						                    where contact.id = delivery.contact_id and contact.account_id = delivery.account_id
						                      and contact.subscribed) as suppressed,
						           delivery.ambiguous > 0
						               and (delivery.attempt > (case delivery.stream when 'campaign' then :campaign_delays
						                                                             else :delays end)
						                    or delivery.attempt >= :min_attempts
						                       and now() - greatest(email.scheduled_at, delivery.created_at)
						                           > (case delivery.stream when 'campaign' then :campaign_max_age else :max_age end)
						                             * interval '1 millisecond') as exhausted
						      from delivery join %1$s using (id, epoch)
						      join account on account.id = delivery.account_id and account.paused_reason is null
						      join email on email.id = delivery.email_id
						     where %2$s and delivery.lease_until > now()
						     order by delivery.id for update of delivery),
						passed as (
						    update delivery set phase = 'in_data', attempt = delivery.attempt + 1,
						           lease_until = now() + :lease * interval '1 millisecond'
						      from locked where delivery.id = locked.id and not locked.suppressed and not locked.exhausted
						    returning delivery.id)
						select * from locked where suppressed or exhausted or id in (select id from passed)
						""",
				leases, LEASED)
			.bind("lease", dataLease.toMillis())
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
				    select id from delivery join %1$s using (id, epoch) where %2$s
				     order by id for update of delivery)
				update delivery set phase = 'queued', lease_until = null,
				       due_at = case when :delay > 0 then now() + :delay * interval '1 millisecond' else due_at end
				  from locked where delivery.id = locked.id
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
				    select id from delivery join %1$s using (id, epoch) where %2$s
				     order by id for update of delivery)
				update delivery set phase = 'queued', lease_until = null, attempt = attempt - (phase = 'in_data')::int,
				       due_at = now() + random() * :delay * interval '1 millisecond'
				  from locked where delivery.id = locked.id
				""", leases, HELD).bind("delay", maxDelay.toMillis()).then();
	}

	Flux<Queue.Depth> depth() {
		return this.database.sql("""
				select phase, count(*) as count,
				       coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest_seconds
				  from (select case when due_at > now() then 'scheduled' else phase end as phase,
				               least(due_at, now()) as due_at
				          from delivery where phase = 'queued'
				        union all
				        select phase, due_at from delivery where phase in ('leased', 'in_data')) as waiting
				 group by phase
				""").mapProperties(Queue.Depth.class).all();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, List<Lease> leases, String phase) {
		return this.database.sql(sql.formatted(LEASES, phase))
			.bind("ids", leases.stream().map(Lease::delivery).toArray(UUID[]::new))
			.bind("epochs", leases.stream().map(Lease::epoch).toArray(Integer[]::new));
	}

}
