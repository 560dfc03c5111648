package dev.mailroom.queue;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** The queue's own statements: many rows each, and none of them one account's. */
@Repository
@AcrossAccounts("the queue serves every account; its callers take the role that sees them all")
class QueueStore {

	private static final String LEASES = "unnest(:ids::uuid[], :epochs::int[]) as lease(id, epoch)";

	/**
	 * That a row is leased, in words that do not lead to the index of what is: rows whose
	 * ids are known are found by those.
	 */
	private static final String LEASED = "delivery.phase not in ('queued', 'in_data', 'done')";

	private final DatabaseClient database;

	QueueStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Finds the accounts that have something queued one by one (a loose index scan: its
	 * cost is the accounts', not the rows') and takes from each what its share leaves.
	 * The room that the window had is told with each row, and without any where nothing
	 * was taken. Which way a mail goes is looked up only where its account has a domain
	 * that chooses.
	 */
	Flux<Queue.Leased> lease(int window, int share, UUID after, Duration lease, Duration aging) {
		return this.database
			.sql("""
					with recursive tenant as (
					    (select account_id from delivery
					      where phase = 'queued' and account_id > :after order by account_id limit 1)
					    union all
					    select (select account_id from delivery
					             where phase = 'queued' and account_id > tenant.account_id order by account_id limit 1)
					      from tenant where tenant.account_id is not null),
					flying as materialized (
					    select account_id, count(*) as n from delivery
					     where phase = 'leased' or (phase = 'in_data' and lease_until > now() + :aging * interval '1 millisecond')
					     group by account_id),
					room as materialized (
					    select greatest(0, :window - coalesce(sum(n), 0)) as places from flying),
					due as materialized (
					    select next.id from tenant cross join lateral (
					        select id from delivery
					         where account_id = tenant.account_id and phase = 'queued' and due_at <= now()
					         order by due_at, id
					         limit case when exists (select from account
					                                  where id = tenant.account_id and paused_reason is null)
					                    then greatest(0, :share - coalesce(
					                         (select n from flying where flying.account_id = tenant.account_id), 0))
					                    else 0 end
					         for update skip locked) as next
					     limit (select places from room)),
					taken as (
					    update delivery set phase = 'leased', epoch = epoch + 1,
					           lease_until = now() + :lease * interval '1 millisecond'
					     where id = any(array(select id from due))
					    returning delivery.id, delivery.epoch, delivery.account_id, delivery.email_id, delivery.recipient)
					select places, taken.id, epoch, taken.account_id, recipient,
					       coalesce(choice.transport, (select transport from account
					                                    where account.id = taken.account_id and transport is not null)) as transport,
					       choice.require_tls as requires_tls
					  from room left join taken on true
					  left join lateral (
					      select domain.transport, domain.require_tls from email join domain on domain.id = email.domain_id
					       where email.id = case when exists (select from domain as chosen
					                                           where chosen.account_id = taken.account_id
					                                             and (chosen.transport is not null or chosen.require_tls))
					                             then taken.email_id end
					       offset 0) as choice on true
					""")
			.bind("after", after)
			.bind("share", share)
			.bind("window", window)
			.bind("lease", lease.toMillis())
			.bind("aging", aging.toMillis())
			.map(Queue.Leased::of)
			.all();
	}

	/**
	 * Who died left it once; a server that takes a mail again and again and never says so
	 * is asked as seldom as one that puts it off.
	 */
	Mono<Long> recover(QueueSettings settings) {
		return this.database.sql("""
				with over as (
				    select id, case stream when 'campaign' then :campaign::bigint[] else :usual::bigint[] end as delays
				      from delivery where phase in ('leased', 'in_data') and lease_until < now()
				     order by id for update skip locked)
				update delivery set phase = 'queued', lease_until = null,
				       due_at = case when phase = 'in_data' and ambiguous > 0
				                     then now() + coalesce(delays[least(greatest(attempt, 1), cardinality(delays))], 0)
				                                  * interval '1 millisecond'
				                     else least(due_at, now()) end,
				       ambiguous = ambiguous + (phase = 'in_data')::int
				  from over where delivery.id = over.id
				""")
			.bind("usual", settings.transactional().millis())
			.bind("campaign", settings.campaign().millis())
			.fetch()
			.rowsUpdated();
	}

	Flux<FencedRow> fence(List<Lease> leases, QueueSettings settings) {
		return bind(
				"""
						with held as (
						    select delivery.id, delivery.epoch, delivery.account_id, delivery.email_id, delivery.recipient,
						           delivery.attempt, delivery.ambiguous, delivery.contact_id,
						           exists (select from suppression
						                    where suppression.account_id = delivery.account_id
						                      and suppression.address = lower(delivery.recipient))
						               or delivery.contact_id is not null and not exists (
						                   select from contact
						                    where contact.id = delivery.contact_id and contact.account_id = delivery.account_id
						                      and contact.subscribed) as barred,
						           delivery.ambiguous > 0
						               and (delivery.attempt > (case delivery.stream when 'campaign' then :campaign_delays
						                                                             else :delays end)
						                    or delivery.attempt >= :tries
						                       and now() - greatest(email.scheduled_at, delivery.created_at)
						                           > (case delivery.stream when 'campaign' then :campaign_longest else :longest end)
						                             * interval '1 millisecond') as over
						      from delivery join %1$s using (id, epoch)
						      join account on account.id = delivery.account_id and account.paused_reason is null
						      join email on email.id = delivery.email_id
						     where %2$s and delivery.lease_until > now()
						     order by delivery.id for update of delivery),
						passed as (
						    update delivery set phase = 'in_data', attempt = delivery.attempt + 1,
						           lease_until = now() + :lease * interval '1 millisecond'
						      from held where delivery.id = held.id and not held.barred and not held.over
						    returning delivery.id)
						select * from held where barred or over or id in (select id from passed)
						""",
				leases)
			.bind("lease", settings.dataLease().toMillis())
			.bind("longest", settings.transactional().longest().toMillis())
			.bind("campaign_longest", settings.campaign().longest().toMillis())
			.bind("delays", settings.transactional().delays().size())
			.bind("campaign_delays", settings.campaign().delays().size())
			.bind("tries", QueueSettings.TRIES)
			.map(FencedRow::of)
			.all();
	}

	/** What is put off for no time at all keeps its place in the queue. */
	Mono<Void> putOff(List<Lease> leases, Duration pause) {
		return bind("""
				with held as (
				    select id from delivery join %1$s using (id, epoch) where %2$s
				     order by id for update of delivery)
				update delivery set phase = 'queued', lease_until = null,
				       due_at = case when :pause > 0 then now() + :pause * interval '1 millisecond' else due_at end
				  from held where delivery.id = held.id
				""", leases).bind("pause", pause.toMillis()).then();
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

	private DatabaseClient.GenericExecuteSpec bind(String sql, List<Lease> leases) {
		return this.database.sql(sql.formatted(LEASES, LEASED))
			.bind("ids", leases.stream().map(Lease::delivery).toArray(UUID[]::new))
			.bind("epochs", leases.stream().map(Lease::epoch).toArray(Integer[]::new));
	}

}
