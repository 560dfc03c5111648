package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.value;

/** SQL that assigns deliveries to workers and takes back expired leases. */
@Repository
@AcrossAccounts("the queue serves every account; its callers take the role that sees them all")
class LeaseStore {

	private final DatabaseClient database;

	LeaseStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Marks rows as ready whose time has come.
	 * @return number of rows marked, at most the limit
	 */
	Mono<Long> markReady(int limit) {
		return this.database.sql("""
				update queue set ready = true
				 where id = any(array(select id from queue where not ready and held is null and due_at <= now()
				                       order by due_at limit :limit for update skip locked))
				""").bind("limit", limit).fetch().rowsUpdated();
	}

	/**
	 * Marks rows as ready whose time has come, some of each account: for a backlog of
	 * which {@link #markReady(int)} reaches the oldest rows only, which may all belong to
	 * one account. Accounts are found one by one, in the order of their ids.
	 * @param after account behind which the visit starts
	 * @param accounts maximum number of accounts that are visited
	 * @return the last account visited; the nil id if none follows
	 */
	Mono<UUID> markReady(UUID after, int accounts, int rowsOfEach) {
		return this.database.sql("""
				with recursive tenant as (
				    (select account_id, 1 as number from queue
				      where not ready and held is null and account_id > :after order by account_id limit 1)
				    union all
				    select (select account_id from queue
				             where not ready and held is null and account_id > tenant.account_id
				             order by account_id limit 1), number + 1
				      from tenant where tenant.account_id is not null and number < :accounts),
				marked as (
				    update queue set ready = true
				     where not ready and held is null and id = any(array(
				         select due.id from tenant cross join lateral (
				             select id from queue
				              where account_id = tenant.account_id and not ready and held is null and due_at <= now()
				              order by due_at limit :rows for update skip locked) as due)))
				select coalesce((select account_id from tenant where number = :accounts),
				                uuid '00000000-0000-0000-0000-000000000000')
				""")
			.bind("after", after)
			.bind("accounts", accounts)
			.bind("rows", rowsOfEach)
			.mapValue(UUID.class)
			.one();
	}

	/**
	 * Leases ready rows. Accounts with ready rows are found one by one (a loose index
	 * scan, whose cost depends on the number of accounts and not of rows), and from each
	 * as many rows are taken as its share leaves, transactional mail first, none of a
	 * paused stream, and none of an account that has more than three quarters of its
	 * share in flight: passing its leased rows for a few others would cost each turn as
	 * much. The free places of the window are returned with each row, or in a row of
	 * their own if nothing was leased. The transport is looked up only if the account has
	 * a domain with a choice. The rows of the queue are not locked: of two leases of a
	 * row one is inserted, and the fence reads the row again. {@code offset 0} keeps the
	 * planner from reordering the joins, which would serve the same accounts in each
	 * turn; {@code not in} and {@code is true} make it hash leases, which a join without
	 * hashes would compare one by one, and the limit of {@code existing} keeps it from
	 * expecting too many for that after a burst.
	 * @param share deliveries in flight of an account with the heaviest plan; half of
	 * them may be mails of campaigns
	 */
	Flux<LeasedRow> lease(int window, int share, UUID after, Duration lease) {
		return this.database.sql("""
				with recursive tenant as (
				    (select account_id from queue where ready and account_id > :after order by account_id limit 1)
				    union all
				    select (select account_id from queue where ready and account_id > tenant.account_id
				             order by account_id limit 1)
				      from tenant where tenant.account_id is not null),
				existing as materialized (
				    select id, account_id, campaign, until > now() as valid from lease limit 100000),
				in_flight as materialized (
				    select account_id, count(*) as n, count(*) filter (where campaign) as campaigns
				      from existing where valid group by account_id),
				room as materialized (
				    select greatest(0, :window - coalesce(sum(n), 0)) as places from in_flight),
				due as materialized (
				    select next.*, account.transport, account.has_choice, nextval('lease_epoch')::int as epoch
				      from tenant
				      cross join lateral (
				          select (:share * plan.weight + 3) / 4 as share, coalesce(in_flight.n, 0) as n,
				                 coalesce(in_flight.campaigns, 0) as campaigns, account.transport,
				                 exists (select from domain
				                          where domain.account_id = account.id
				                            and (domain.transport is not null or domain.require_tls)) as has_choice
				            from account join plan on plan.name = account.plan
				            left join in_flight on in_flight.account_id = account.id
				           where account.id = tenant.account_id and account.paused_reason is null
				           offset 0) as account
				      cross join lateral (
				          (select id, account_id, email_id, recipient, campaign, due_at from queue
				            where account_id = tenant.account_id and ready and not campaign
				              and id not in (select existing.id from existing)
				            order by due_at, id
				            limit case when exists (select from queue_pause where not queue_pause.campaign)
				                         or account.n > account.share * 3 / 4 then 0
				                       else account.share - account.n end)
				          union all
				          (select id, account_id, email_id, recipient, campaign, due_at from queue
				            where account_id = tenant.account_id and ready and campaign
				              and id not in (select existing.id from existing)
				            order by due_at, id
				            limit case when exists (select from queue_pause where queue_pause.campaign)
				                         or account.n > account.share * 3 / 4
				                         or account.campaigns > account.share * 3 / 8 then 0
				                       else (account.share + 1) / 2 - account.campaigns end)
				          limit greatest(0, account.share - account.n)) as next
				     limit (select places from room)),
				leased as (
				    insert into lease (id, account_id, campaign, epoch, until)
				    select id, account_id, campaign, epoch, now() + :lease * interval '1 millisecond'
				      from due
				    on conflict (id) do nothing
				    returning id)
				select places, not exists (select from queue) as empty,
				       due.id, epoch, due.account_id, recipient, due.campaign,
				       greatest(0, extract(epoch from now() - due.due_at))::float8 as late_seconds,
				       coalesce(choice.transport, due.transport) as transport, choice.require_tls as requires_tls
				  from room left join due on (due.id in (select id from leased)) is true
				  left join lateral (
				      select domain.transport, domain.require_tls from email join domain on domain.id = email.domain_id
				       where email.id = case when due.has_choice then due.email_id end
				       offset 0) as choice on true
				""")
			.bind("after", after)
			.bind("share", share)
			.bind("window", window)
			.bind("lease", lease.toMillis())
			.map(LeasedRow::of)
			.all();
	}

	/**
	 * Returns rows with an expired lease to the queue. The first ambiguous hand-over is
	 * repeated at once, because the worker may have crashed; later ones wait for the
	 * retry delay, because the server may accept the mail each time without a reply.
	 * @return number of rows returned
	 */
	Mono<Long> recover(RetrySchedule retries) {
		return this.database
			.sql("""
					with orphaned as (
					    delete from lease
					     where until < now() and not exists (select from queue where queue.id = lease.id)),
					expired as (
					    select queue.id, lease.epoch, data_until is not null as in_data,
					           case when data_until is not null and ambiguous > 0
					                then coalesce(delays[least(greatest(attempt, 1), cardinality(delays))], 0) else 0 end as delay
					      from lease join queue using (id)
					      cross join lateral (
					          select case when queue.campaign then :campaign::bigint[] else :transactional::bigint[] end
					      ) as schedule(delays)
					     where lease.until < now() and (data_until is null or data_until < now())
					     order by queue.id for update of queue skip locked),
					returned as (
					    delete from lease using expired where lease.id = expired.id)
					update queue
					   set epoch = expired.epoch, data_until = null, ambiguous = ambiguous + in_data::int,
					       due_at = case when delay > 0 then now() + delay * interval '1 millisecond' else due_at end,
					       ready = ready and delay = 0
					  from expired where queue.id = expired.id
					""")
			.bind("transactional", retries.transactional().delayMillis())
			.bind("campaign", retries.campaign().delayMillis())
			.fetch()
			.rowsUpdated();
	}

	/**
	 * A leased row; only the first two are set if nothing was leased.
	 *
	 * @param places free places of the window before this lease
	 * @param empty whether the queue has no rows
	 * @param lateSeconds time since the delivery was due; 0 if it was accepted after the
	 * transaction of the lease had begun
	 */
	record LeasedRow(long places, boolean empty, @Nullable UUID id, @Nullable Integer epoch, @Nullable UUID accountId,
			@Nullable String recipient, @Nullable Boolean campaign, @Nullable Double lateSeconds,
			@Nullable TransportKind transport, @Nullable Boolean requiresTls) {

		static LeasedRow of(Readable row) {
			return new LeasedRow(value(row, "places", Long.class), on(row, "empty"), row.get("id", UUID.class),
					row.get("epoch", Integer.class), row.get("account_id", UUID.class),
					row.get("recipient", String.class), row.get("campaign", Boolean.class),
					row.get("late_seconds", Double.class), TransportKind.of(row.get("transport", String.class)),
					row.get("requires_tls", Boolean.class));
		}

		Route route(UUID account) {
			return Route.to(String.valueOf(this.recipient), account, this.transport,
					Boolean.TRUE.equals(this.requiresTls));
		}

	}

}
