package dev.mailroom.mail.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * The transitions of a delivery: each statement that writes {@code queue}. docs/queue.md
 * lists from which state to which each of them leads. They run in the transaction of
 * their caller, for many rows at once, and lock rows in the order {@code queue},
 * {@code delivery}, {@code email}, each by id.
 */
@Repository
public class Transitions {

	private static final String LEASES = "unnest(:ids::uuid[], :epochs::int[]) as input(id, epoch)";

	/**
	 * Matches the rows that have the epochs of the leases, without a join: its plan, made
	 * while the queue is short, would compare each lease with each row of the queue. The
	 * coalesce keeps the planner from turning the second condition into a join.
	 */
	private static final String LEASED = "queue.id = any(:ids::uuid[]) and coalesce((queue.id, queue.epoch) in "
			+ "(select id, epoch from " + LEASES + "), false)";

	/**
	 * Matches ready rows that have not passed the fence under the lease. The coalesce
	 * keeps the planner from an index of ready rows, which is not by id.
	 */
	private static final String UNCLAIMED = LEASED + " and queue.data_until is null and coalesce(queue.ready, false)";

	private static final String ALL = "the queue serves every account; its callers take the role that sees them all";

	/** Maximum delay (ms) after a settlement that does not count as an attempt. */
	private static final int UNCOUNTED_DELAY = 5_000;

	/** Waiting deliveries that are counted one by one. */
	private static final int MAX_READ = 10_000;

	private final DatabaseClient database;

	private final QueueSettings settings;

	private final RetrySchedule retries;

	Transitions(DatabaseClient database, QueueSettings settings, RetrySchedule retries) {
		this.database = database;
		this.settings = settings;
		this.retries = retries;
	}

	/**
	 * The clause that inserts rows, ready if they are due, for the statements that insert
	 * the mails.
	 * @param source a table or subquery with the columns of {@code queue} from {@code id}
	 * to {@code due_at}
	 */
	public static String enqueue(String source) {
		return """
				insert into queue (id, account_id, email_id, recipient, recipient_key, destination, contact_id, campaign,
				                   campaign_id, ready, due_at, first_due_at)
				select id, account_id, email_id, recipient, recipient_key, destination, contact_id, campaign,
				       campaign_id, due_at <= now(), due_at, due_at
				  from %s"""
			.formatted(source);
	}

	/**
	 * Makes rows ready whose time has come.
	 * @return number of rows, at most the limit
	 */
	@AcrossAccounts(ALL)
	int markDue(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				update queue set ready = true
				 where id = any(array(select id from queue where not ready and held is null and due_at <= now()
				                       order by due_at limit :limit for update skip locked))
				""").bind("limit", limit).update(jdbc);
	}

	/**
	 * Makes rows ready whose time has come, some of each account: for a backlog of which
	 * {@link #markDue(JdbcClient, int)} reaches the oldest rows only, which may all
	 * belong to one account.
	 * @param after account behind which the visit starts
	 * @param accounts maximum number of accounts that are visited
	 * @return the last account visited; the nil id if none follows
	 */
	@AcrossAccounts(ALL)
	UUID markDue(JdbcClient jdbc, UUID after, int accounts, int rowsOfEach) {
		return SqlStatement.of("""
				with recursive tenant as (
				    -- accounts one by one, in the order of their ids
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
				                uuid '00000000-0000-0000-0000-000000000000') as last
				""")
			.bind("after", after)
			.bind("accounts", accounts)
			.bind("rows", rowsOfEach)
			.list(jdbc, (row) -> value(row, "last", UUID.class))
			.getFirst();
	}

	/**
	 * Lets ready rows be sent by the worker that has the lease, and counts an attempt.
	 * Rows that are barred stay ready; rows whose lease is void or whose account is
	 * paused are not returned. If another fence, a pause or a change by the sender
	 * commits meanwhile, the statement waits for its row locks and reads the rows again.
	 */
	@AcrossAccounts(ALL)
	List<FencedRow> fence(JdbcClient jdbc, List<Lease> leases) {
		return of(leases, """
				with locked as (
				    select queue.id, queue.epoch, queue.account_id, queue.email_id, queue.recipient, queue.attempt,
				           queue.ambiguous, queue.contact_id,
				           exists (select from suppression
				                    where suppression.account_id = queue.account_id
				                      and suppression.address = coalesce(
				                          queue.recipient_key, lower(queue.recipient collate "C") collate "default"))
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
				           queue.campaign_id is not null and campaign.status is distinct from 'running'
				               or queue.campaign = any(array(select queue_pause.campaign from queue_pause))
				               or exists (select from destination_hold
				                           where destination_hold.destination = queue.destination
				                             and released_at is null) as held,
				           queue.campaign_id is not null and campaign.id is null as orphaned
				      from queue
				      join account on account.id = queue.account_id and account.paused_reason is null
				      left join campaign on campaign.id = queue.campaign_id
				     where %s
				     order by queue.id for update of queue),
				passed as (
				    -- changes no indexed column: a HOT update
				    update queue set data_until = now() + :lease * interval '1 millisecond', epoch = queue.epoch + 1,
				                     attempt = queue.attempt + 1
				      from locked where queue.id = locked.id and not locked.suppressed and not locked.exhausted
				                        and not locked.held
				    returning queue.id)
				-- the size of a content is read from the pointer to it, not from the content
				select locked.*, now() + :lease * interval '1 millisecond' as data_until, coalesce(
				           (select coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)
				                   + case when attachments <> '[]' then coalesce(
				                         (select sum(octet_length(content)) from attachment
				                           where attachment.email_id = locked.email_id), 0) else 0 end
				              from email_content where email_content.email_id = locked.email_id), 0)::bigint as bytes
				  from locked where suppressed or exhausted or held or id in (select id from passed)
				""".formatted(UNCLAIMED)).bind("lease", this.settings.dataLease().toMillis())
			.bind("max_age", this.retries.transactional().maxAge().toMillis())
			.bind("campaign_max_age", this.retries.campaign().maxAge().toMillis())
			.bind("delays", this.retries.transactional().delays().size())
			.bind("campaign_delays", this.retries.campaign().delays().size())
			.bind("min_attempts", RetrySchedule.MIN_ATTEMPTS)
			.list(jdbc, FencedRow::of);
	}

	/**
	 * The rows that have passed the fence under these leases and that it would not let
	 * pass now.
	 */
	@AcrossAccounts(ALL)
	List<UUID> stopped(JdbcClient jdbc, List<Lease> leases) {
		return of(leases, """
				select queue.id
				  from queue
				  join account on account.id = queue.account_id
				  left join campaign on campaign.id = queue.campaign_id
				 where %s and queue.data_until is not null
				   and (account.paused_reason is not null
				        or queue.campaign_id is not null and campaign.status is distinct from 'running'
				        or queue.campaign = any(array(select queue_pause.campaign from queue_pause))
				        or exists (select from destination_hold
				                    where destination_hold.destination = queue.destination and released_at is null)
				        or exists (select from suppression
				                    where suppression.account_id = queue.account_id
				                      and suppression.address = coalesce(
				                          queue.recipient_key, lower(queue.recipient collate "C") collate "default"))
				        or queue.contact_id is not null and not exists (
				            select from contact
				             where contact.id = queue.contact_id and contact.account_id = queue.account_id
				               and contact.subscribed))
				""".formatted(LEASED)).list(jdbc, (row) -> value(row, "id", UUID.class));
	}

	/**
	 * Returns rows of a fence that are not sent to the queue, without counting the
	 * attempt. Waits for a COMMIT of the fence that is in progress. If it was rolled
	 * back, or another one has passed meanwhile, the rows are left unchanged.
	 * @param maxDelay upper limit of a random delay
	 */
	@AcrossAccounts(ALL)
	void unfence(JdbcClient jdbc, List<FencedRow> rows, Duration maxDelay) {
		of(rows.stream().map(FencedRow::lease).toList(), """
				with locked as (
				    select queue.id, queue.data_until is not null as claimed from queue
				     where queue.id = any(:ids::uuid[])
				       and (queue.data_until = :data_until and (queue.id, queue.epoch) in (select id, epoch from %1$s)
				            or queue.data_until is null and (queue.id, queue.epoch + 1) in (select id, epoch from %1$s))
				     order by queue.id for update of queue)
				update queue set attempt = attempt - 1, data_until = null, epoch = epoch + 1, ready = false,
				       due_at = now() + random() * :delay * interval '1 millisecond'
				  from locked where queue.id = locked.id and locked.claimed
				""".formatted(LEASES)).bind("delay", maxDelay.toMillis())
			.bind("data_until", rows.getFirst().dataUntil())
			.update(jdbc);
	}

	/**
	 * Returns rows to the queue whose hand-over has expired.
	 * @return number of rows returned
	 */
	@AcrossAccounts(ALL)
	int recover(JdbcClient jdbc, List<UUID> deliveries) {
		return SqlStatement
			.of("""
					with expired as (
					    select queue.id,
					           -- the first hand-over without a reply is repeated at once, because the worker may have
					           -- crashed; later ones wait, because the server may accept the mail each time
					           case when ambiguous > 0
					                then coalesce(delays[least(greatest(attempt, 1), cardinality(delays))], 0) else 0 end as delay
					      from queue
					      cross join lateral (
					          select case when queue.campaign then :campaign::bigint[] else :transactional::bigint[] end
					      ) as schedule(delays)
					     where queue.id = any(:ids) and data_until < now()
					     order by queue.id for update of queue skip locked)
					update queue
					   set epoch = epoch + 1, data_until = null, ambiguous = ambiguous + 1,
					       due_at = case when delay > 0 then now() + delay * interval '1 millisecond' else due_at end,
					       ready = ready and delay = 0
					  from expired where queue.id = expired.id
					""")
			.bind("ids", deliveries.toArray(UUID[]::new))
			.bind("transactional", this.retries.transactional().delayMillis())
			.bind("campaign", this.retries.campaign().delayMillis())
			.update(jdbc);
	}

	/**
	 * Holds ready rows until their campaign runs again or their destination is released;
	 * of the two, the fence finds the one that is left after the other. Rows to which
	 * neither applies any more stay ready.
	 */
	@AcrossAccounts(ALL)
	void hold(JdbcClient jdbc, List<Lease> leases) {
		UUID[] ids = leases.stream().map(Lease::delivery).toArray(UUID[]::new);
		// The campaigns cannot be resumed, nor the destinations released, until the
		// commit.
		SqlStatement.of("""
				select id from campaign
				 where id in (select campaign_id from queue where id = any(:ids)) order by id for share
				""").bind("ids", ids).run(jdbc);
		SqlStatement
			.of("""
					select destination from destination_hold
					 where destination in (select destination from queue where id = any(:ids)) order by destination for share
					""")
			.bind("ids", ids)
			.run(jdbc);
		of(leases, """
				with locked as (
				    select queue.id,
				           case when campaign.status <> 'running' then 'campaign'
				                when exists (select from destination_hold
				                              where destination_hold.destination = queue.destination
				                                and released_at is null) then 'destination' end as held
				      from queue left join campaign on campaign.id = queue.campaign_id
				     where %s order by queue.id for update of queue)
				update queue set held = locked.held, ready = false, epoch = epoch + 1
				  from locked where queue.id = locked.id and locked.held is not null
				""".formatted(UNCLAIMED)).update(jdbc);
	}

	/**
	 * Ends the hold of rows of a destination. The time for which they were held does not
	 * count as lateness.
	 * @return number of rows, at most the limit; 0 if none is held
	 */
	@AcrossAccounts(ALL)
	int release(JdbcClient jdbc, String destination, int limit) {
		return SqlStatement.of("""
				update queue set held = null, ready = due_at <= now(), due_at = greatest(due_at, now()),
				                 first_due_at = greatest(first_due_at, now())
				 where held = 'destination' and id = any(array(
				     select id from queue where id = any(array(
				         select id from queue where held = 'destination' and destination = :destination limit :limit))
				      order by id for update))
				""").bind("destination", destination).bind("limit", limit).update(jdbc);
	}

	/**
	 * Locks mail that is due, of accounts that have been suspended for a time, for the
	 * caller, which settles it in the same transaction. Mail that is being sent is left
	 * out.
	 */
	@AcrossAccounts("accounts that are suspended")
	public List<Lease> lockSuspended(JdbcClient jdbc, Duration suspension, int limit) {
		return SqlStatement
			.of("""
					with due as (
					    select waiting.id
					      from account
					      cross join lateral (
					          (select id from queue where account_id = account.id and ready and data_until is null limit :limit)
					          union all
					          (select id from queue where account_id = account.id and held is not null and due_at <= now()
					            limit :limit)) as waiting
					     where account.paused_at < now() - :suspension * interval '1 millisecond'
					     limit :limit)
					select id, epoch from queue where id = any(array(select id from due)) and data_until is null
					 order by id for update skip locked
					""")
			.bind("suspension", suspension.toMillis())
			.bind("limit", limit)
			.list(jdbc, Transitions::lease);
	}

	/**
	 * Locks mail to a destination that was due first longer ago than a mail may be
	 * retried, whether it was tried or not, for the caller, which settles it in the same
	 * transaction. Mail of a suspended account or a paused stream is left out.
	 */
	@AcrossAccounts(ALL)
	public List<Lease> lockOverdue(JdbcClient jdbc, UUID account, String destination, int limit) {
		return SqlStatement
			.of("""
					select id, epoch from queue
					 where ready and data_until is null
					   and first_due_at < now() - case when campaign then :campaign_max_age else :max_age end
					                              * interval '1 millisecond'
					   and id = any(array(
					       select overdue.id from unnest(array[false, true]) as stream(campaign)
					         cross join lateral (
					             select id from queue
					              where account_id = :account and queue.campaign = stream.campaign and ready
					                and destination = :destination
					                and first_due_at < now() - case when stream.campaign then :campaign_max_age else :max_age end
					                                           * interval '1 millisecond'
					              order by due_at, id limit :limit) as overdue
					        where stream.campaign not in (select campaign from queue_pause)
					          and exists (select from account where id = :account and paused_reason is null)))
					 order by id for update skip locked
					""")
			.bind("account", account)
			.bind("destination", destination)
			.bind("limit", limit)
			.bind("max_age", this.retries.transactional().maxAge().toMillis())
			.bind("campaign_max_age", this.retries.campaign().maxAge().toMillis())
			.list(jdbc, Transitions::lease);
	}

	private static Lease lease(Readable row) {
		return new Lease(value(row, "id", UUID.class), number(row, "epoch"));
	}

	/**
	 * Finishes or defers deliveries that still have the epoch of the lease. An attempt
	 * that was not begun is not counted, and changes nothing that is shown to the sender.
	 * The only recipient of a mail decides about its status, which is set as well; that
	 * of other mails depends on deliveries that settle concurrently, so the caller sets
	 * it with {@link EmailRows#updateStatus(JdbcClient, java.util.Map)}.
	 * @param row reads a delivery with its result
	 */
	@AcrossAccounts("workers hold deliveries of every account")
	public <T> List<T> settle(JdbcClient jdbc, List<Result> results, Function<Readable, T> row) {
		Columns<Result> columns = Columns.of(results);
		return SqlStatement
			.of("""
					with input as (
					    select * from unnest(:ids::uuid[], :epochs::int[], :results::text[], :counts::boolean[],
					                         :bounces::text[], :replies::text[], :after::bigint[])
					           as input(id, epoch, result, counts, bounce, reply, after)),
					locked as (
					    select queue.id, queue.email_id, input.epoch, input.result as reported, input.counts, input.bounce, input.reply,
					           input.after,
					           queue.attempt + case when input.counts then 1
					                                when input.result = 'unopened' and queue.data_until is not null then -1
					                                else 0 end as attempt,
					           queue.attempt = 1 and input.result <> 'unopened' as first, queue.ambiguous,
					           case when queue.campaign then :campaign::bigint[] else :transactional::bigint[] end as delays,
					           case when queue.campaign then :campaign_max_age else :max_age end * interval '1 millisecond'
					               as max_age,
					           greatest(0, extract(epoch from now() - queue.first_due_at))::float8 as waited
					      from input join queue on queue.id = input.id
					     where queue.epoch = input.epoch
					        -- a mail that a server accepted must not be sent again: a final reply also counts after the
					        -- hand-over was taken back, unless another one has begun
					        or (queue.data_until is null and input.result in ('delivered', 'sent', 'bounced'))
					     order by queue.id for update of queue),
					decided as (
					    select distinct on (locked.id) locked.*, email.domain_id, delivery.reply is null as first_reply,
					           email.forward ->> 'received_id' as received_id, email.from_email,
					           cardinality(email.to_emails || email.cc || email.bcc) > 1 as several,
					           -- a mail expires after its last attempt, or by its age after some attempts
					           case when reported in ('deferred', 'unopened')
					                     and (now() - greatest(email.created_at, email.scheduled_at) > max_age
					                              and locked.attempt >= least(:min_attempts, cardinality(delays))
					                          or locked.attempt > cardinality(delays))
					                then 'expired' else reported end as result
					      from locked join delivery on delivery.id = locked.id and delivery.email_id = locked.email_id
					      join email on email.id = locked.email_id
					     order by locked.id, reported in ('delivered', 'sent', 'bounced') desc),
					finished as (
					    delete from queue using decided
					     where queue.id = decided.id and result not in ('deferred', 'unopened')),
					deferred as (
					    update queue
					       set attempt = decided.attempt, data_until = null, ready = false,
					           epoch = queue.epoch + 1,
					           -- a row that was rescheduled meanwhile is not ready, and keeps its time
					           due_at = case when not queue.ready then queue.due_at
					                         when after is not null then now() + after * interval '1 millisecond'
					                         else now() + random() * interval '1 millisecond'
					                              * case when result = 'unopened' and not counts then :uncounted_delay
					                                     else delays[decided.attempt] end end
					      from decided where queue.id = decided.id and result in ('deferred', 'unopened')),
					mail as (
					    update email
					       set status = case when result in ('deferred', 'unopened') then 'pending'
					                         when result in ('suppressed', 'expired') then 'failed' else result end,
					           last_event = case when result in ('deferred', 'unopened') then 'delivery_delayed'
					                             else result end
					      from (select email_id, result from decided where not several and (result <> 'unopened' or counts)
					             order by email_id) as single
					     where email.id = single.email_id)
					update delivery
					   set status = case result when 'deferred' then 'pending' when 'unopened' then 'pending'
					                            when 'expired' then 'failed' else result end,
					       attempt = decided.attempt, ambiguous = decided.ambiguous, reply = decided.reply,
					       settled_at = case when result not in ('deferred', 'unopened') then now() end
					  from decided
					 where delivery.id = decided.id and delivery.email_id = decided.email_id
					   and (result <> 'unopened' or counts)
					returning delivery.id, delivery.account_id, decided.domain_id, delivery.email_id,
					          delivery.recipient, delivery.stream, decided.result, delivery.attempt, decided.first,
					          decided.first_reply and decided.result in ('deferred', 'unopened') as first_delay,
					          decided.bounce, delivery.reply, decided.waited as waited_seconds,
					          decided.received_id, decided.from_email, false as confirms, decided.several
					""")
			.bind("ids", columns.uuids((one) -> one.lease().delivery()))
			.bind("epochs", columns.integers((one) -> one.lease().epoch()))
			.bind("results", columns.texts(Result::result))
			.bind("counts", columns.booleans(Result::counts))
			.bind("bounces", columns.texts(Result::bounce))
			.bind("replies", columns.texts(Result::reply))
			.bind("after", columns.longs((one) -> (one.retryAfter() != null) ? one.retryAfter().toMillis() : null))
			.bind("transactional", this.retries.transactional().delayMillis())
			.bind("campaign", this.retries.campaign().delayMillis())
			.bind("max_age", this.retries.transactional().maxAge().toMillis())
			.bind("campaign_max_age", this.retries.campaign().maxAge().toMillis())
			.bind("min_attempts", RetrySchedule.MIN_ATTEMPTS)
			.bind("uncounted_delay", UNCOUNTED_DELAY)
			.list(jdbc, row);
	}

	/**
	 * Applies late feedback to deliveries whose status it advances, and finishes those
	 * that are still in the queue; other reports change nothing. Of several reports on a
	 * delivery the most severe is applied.
	 * @param row reads a delivery with its result
	 */
	@AcrossAccounts("reports name deliveries of any account")
	public <T> List<T> finishByFeedback(JdbcClient jdbc, List<Feedback> reports, Function<Readable, T> row) {
		Columns<Feedback> columns = Columns.of(reports);
		SqlStatement.of("select id from queue where id = any(:ids) order by id for update")
			.bind("ids", columns.uuids(Feedback::delivery))
			.run(jdbc);
		return SqlStatement
			.of("""
					with report as (
					    select distinct on (id) *
					      from unnest(:ids::uuid[], :accounts::uuid[], :results::text[], :bounces::text[], :diagnostics::text[],
					                  :verified::boolean[])
					           as report(id, account_id, result, bounce, diagnostic, verified)
					     order by id, array_position(array['complained', 'bounced', 'delivered', 'deferred'], result),
					              verified desc),
					locked as (
					    select delivery.id, delivery.email_id, delivery.status, email.domain_id, report.result, report.bounce, report.diagnostic,
					           report.verified, email.forward ->> 'received_id' as received_id, email.from_email
					      from delivery join report on report.id = delivery.id and report.account_id = delivery.account_id
					                    join email on email.id = delivery.email_id
					     where (report.result in ('bounced', 'complained')
					            and delivery.status in ('pending', 'sent', 'delivered'))
					        or (report.result = 'delivered' and delivery.status in ('pending', 'sent'))
					        -- only the first delay: it replaces the reply of the relay, which began with 2
					        or (report.result = 'deferred' and delivery.status = 'sent'
					            and (delivery.reply is null or delivery.reply like '2%'))
					     order by delivery.id for update of delivery),
					removed as (
					    delete from queue using locked where queue.id = locked.id
					    returning queue.id, queue.attempt, queue.ambiguous)
					update delivery
					   set attempt = coalesce((select attempt from removed where id = delivery.id), delivery.attempt),
					       ambiguous = coalesce((select ambiguous from removed where id = delivery.id), delivery.ambiguous),
					       status = case locked.result when 'deferred' then delivery.status else locked.result end,
					       reply = case locked.result when 'complained' then delivery.reply else locked.diagnostic end,
					       settled_at = coalesce(delivery.settled_at, now())
					  from locked where delivery.id = locked.id and delivery.email_id = locked.email_id
					returning delivery.id, delivery.account_id, locked.domain_id, delivery.email_id, delivery.recipient,
					          delivery.stream, locked.result, delivery.attempt, false as first, true as first_delay,
					          locked.bounce, locked.diagnostic as reply, 0::float8 as waited_seconds,
					          case locked.status when 'sent' then 'SENT' when 'delivered' then 'DELIVERED' end as counted_as,
					          locked.received_id, locked.from_email, locked.status = 'sent' as confirms,
					          (delivery.settled_at at time zone 'UTC')::date as day, locked.verified, true as several
					""")
			.bind("ids", columns.uuids(Feedback::delivery))
			.bind("accounts", columns.uuids(Feedback::account))
			.bind("results", columns.texts(Feedback::result))
			.bind("bounces", columns.texts(Feedback::bounce))
			.bind("diagnostics", columns.texts(Feedback::diagnostic))
			.bind("verified", columns.booleans(Feedback::verified))
			.list(jdbc, row);
	}

	/**
	 * Returns a failed delivery to the queue without any attempts, unless its content has
	 * been removed. The mail of a campaign is sent whether the campaign runs or not. The
	 * dispatcher is notified.
	 * @param recipient address of the delivery
	 * @return the mail; empty if the delivery did not fail or has no content
	 */
	@AcrossAccounts("operators requeue the mails of all accounts")
	public Mono<UUID> requeue(UUID delivery, UUID email, String recipient) {
		return this.database
			.sql("""
					with dead as materialized (
					    select delivery.id, delivery.email_id, email.campaign_id
					      from delivery join email on email.id = delivery.email_id
					     where delivery.id = :id and delivery.email_id = :email
					       and delivery.settled_at is not null and delivery.status = 'failed'
					       for update of delivery),
					-- locked against a removal, after the delivery
					content as materialized (
					    select email_id from dead join email_content using (email_id) for share of email_content),
					failed as (
					    select id, email_id from dead
					     where email_id in (select email_id from content)
					        or exists (select from campaign where campaign.id = dead.campaign_id)),
					pending as (
					    update delivery set status = 'pending', attempt = 0, reply = null, settled_at = null
					      from failed where delivery.id = failed.id and delivery.email_id = failed.email_id
					    returning delivery.*)
					insert into queue (id, account_id, email_id, recipient, recipient_key, destination, contact_id, campaign,
					                   ready, due_at, ambiguous, epoch)
					select id, account_id, email_id, recipient, :key, lower(substring(recipient from '[^@]*$')), contact_id,
					       stream = 'campaign', true, now(), ambiguous,
					       -- higher than any epoch of its life before, whose results may still arrive
					       (extract(epoch from now()) - 1600000000)::int
					  from pending
					returning email_id, pg_notify('mailroom_due', '')
					""")
			.bind("id", delivery)
			.bind("email", email)
			.bind("key", Parameters.in(R2dbcType.VARCHAR, EmailAddress.keyBeyondAscii(recipient)))
			.mapValue(UUID.class)
			.one();
	}

	/**
	 * Locks the rows of a mail in the queue, and returns their state. The fence waits for
	 * the lock and refuses rows that were removed or are due later.
	 */
	public Flux<Position> lock(Scope scope, UUID email) {
		return this.database.sql("""
				select queue.data_until is not null as claimed, queue.attempt
				  from queue
				 where queue.account_id = :account
				   and queue.id in (select id from delivery where email_id = :id and account_id = :account)
				 order by queue.id for update of queue
				""").bind("account", scope.account()).bind("id", email).mapProperties(Position.class).all();
	}

	/** Changes the due time of a mail. The caller has locked its rows. */
	public Mono<Void> reschedule(Scope scope, UUID email, Instant at) {
		return this.database
			.sql("""
					with mail as (update email set scheduled_at = :at where id = :id and account_id = :account)
					update queue set due_at = :at, first_due_at = :at, ready = held is null and :at <= now(), epoch = epoch + 1
					 where account_id = :account
					   and id in (select id from delivery where email_id = :id and account_id = :account)
					""")
			.bind("account", scope.account())
			.bind("id", email)
			.bind("at", at)
			.then();
	}

	/** Finishes a mail that its sender cancelled. The caller has locked its rows. */
	public Mono<Void> cancel(Scope scope, UUID email) {
		return this.database.sql("""
				with mail as (update email set status = 'failed', last_event = 'cancelled'
				               where id = :id and account_id = :account),
				removed as (
				    delete from queue
				     where account_id = :account
				       and id in (select id from delivery where email_id = :id and account_id = :account)
				    returning id)
				update delivery set status = 'failed', settled_at = now() from removed
				 where delivery.id = removed.id and delivery.email_id = :id
				""").bind("account", scope.account()).bind("id", email).then();
	}

	/**
	 * Holds ready mails of campaigns that do not run any more, up to a limit. The caller
	 * has changed their status in the same transaction. Mails that are being sent are
	 * left unchanged; the fence holds those that become due later, and those not yet held
	 * here.
	 * @return number of mails held; at least the limit if others may be left
	 */
	public Mono<Long> holdCampaigns(Scope scope, Collection<UUID> campaigns, int limit) {
		return holding(scope, campaigns, limit).on(this.database).fetch().rowsUpdated();
	}

	/** Holds mails, as {@link #holdCampaigns(Scope, Collection, int)}, over JDBC. */
	public int holdCampaigns(JdbcClient jdbc, Scope scope, Collection<UUID> campaigns, int limit) {
		return holding(scope, campaigns, limit).update(jdbc);
	}

	private static SqlStatement holding(Scope scope, Collection<UUID> campaigns, int limit) {
		return SqlStatement
			.of("""
					with locked as (
					    select id from queue
					     where account_id = :account and ready and data_until is null and id = any(array(
					         select id from queue
					          where campaign_id = any(:campaigns) and account_id = :account and ready and data_until is null
					          limit :limit))
					     -- the order of the fence, across all of the campaigns
					     order by id for update)
					update queue set ready = false, held = 'campaign', epoch = epoch + 1 from locked where queue.id = locked.id
					""")
			.bind("campaigns", campaigns.toArray(UUID[]::new))
			.bind("account", scope.account())
			.bind("limit", limit);
	}

	/**
	 * Ends the hold of mails of a campaign, up to a limit. The caller has locked the
	 * campaign, so that no mail is held afterwards. The time for which they were held
	 * does not count as lateness.
	 * @return number of mails that are not held any more; the limit if others may be left
	 */
	public Mono<Long> releaseCampaign(Scope scope, UUID campaign, int limit) {
		return releasing(scope, campaign, limit).on(this.database).fetch().rowsUpdated();
	}

	/** Ends the hold, as {@link #releaseCampaign(Scope, UUID, int)}, over JDBC. */
	public int releaseCampaign(JdbcClient jdbc, Scope scope, UUID campaign, int limit) {
		return releasing(scope, campaign, limit).update(jdbc);
	}

	private static SqlStatement releasing(Scope scope, UUID campaign, int limit) {
		return SqlStatement.of("""
				update queue set held = null, ready = due_at <= now(), due_at = greatest(due_at, now()),
				                 first_due_at = greatest(first_due_at, now())
				 where account_id = :account and held = 'campaign' and id = any(array(
				     select id from queue where id = any(array(
				         select id from queue
				          where campaign_id = :id and account_id = :account and held = 'campaign' limit :limit))
				      order by id for update))
				""").bind("id", campaign).bind("account", scope.account()).bind("limit", limit);
	}

	/**
	 * Counts deliveries by phase and stream. Of the deliveries that wait, a limited
	 * number is read; if there are more, their number is PostgreSQL's estimate, which
	 * vacuum updates, in the proportions of those read. A long queue is read as fast as a
	 * short one. Held deliveries are scheduled ones without an age.
	 */
	@AcrossAccounts(ALL)
	List<Queue.Depth> depth(JdbcClient jdbc) {
		return SqlStatement
			.of("""
					with sample as materialized (
					    (select account_id, 'queue_ready' as source, campaign, due_at, data_until from queue where ready
					      order by due_at limit :max_read)
					    union all
					    (select account_id, 'queue_later', campaign, due_at, null from queue where not ready and held is null
					      order by due_at limit :max_read)
					    union all
					    (select account_id, 'queue_held', campaign, null, null from queue where held is not null
					      limit :max_read)),
					size as materialized (
					    select source, case when count(*) < :max_read then 1 else greatest(1, (
					               select reltuples from pg_class where oid = source::regclass) / :max_read) end as factor
					      from sample group by source),
					part as (
					    select case when data_until is not null then 'in_data'
					                when account.paused_reason is not null then 'paused'
					                when source = 'queue_ready' then 'due' else 'scheduled' end as phase, campaign, due_at,
					           case when data_until is not null then 1 else factor end as factor
					      from sample join size using (source) left join account on account.id = sample.account_id)
					select phase, case when campaign then 'campaign' else 'transactional' end as stream,
					       sum(factor)::bigint as count,
					       coalesce(extract(epoch from now() - least(min(due_at), now())), 0)::float8 as oldest_seconds
					  from part group by phase, campaign
					""")
			.bind("max_read", MAX_READ)
			.list(jdbc, (row) -> new Queue.Depth(text(row, "phase"), text(row, "stream"),
					value(row, "count", Long.class), value(row, "oldest_seconds", Double.class)));
	}

	private static SqlStatement of(List<Lease> leases, String sql) {
		Columns<Lease> columns = Columns.of(leases);
		return SqlStatement.of(sql)
			.bind("ids", columns.uuids(Lease::delivery))
			.bind("epochs", columns.integers(Lease::epoch));
	}

	/**
	 * A result of a delivery that a worker has leased.
	 *
	 * @param result delivered, sent, bounced, deferred, unopened, suppressed or failed
	 * @param counts whether the result counts an attempt; those that passed the fence
	 * were counted there
	 * @param bounce code of the bounce rule; null for other results
	 * @param retryAfter time until the next attempt of deferred mail; null for the
	 * schedule of retries
	 */
	public record Result(Lease lease, String result, boolean counts, @Nullable String bounce, @Nullable String reply,
			@Nullable Duration retryAfter) {
	}

	/**
	 * A report about a delivery that arrived after its hand-over.
	 *
	 * @param result complained, bounced, delivered or deferred
	 * @param bounce code of the bounce rule; null for other results
	 * @param verified whether the sender of the report is known
	 */
	public record Feedback(UUID delivery, UUID account, String result, @Nullable String bounce, String diagnostic,
			boolean verified) {
	}

	/** The state of a delivery in the queue. */
	public record Position(boolean claimed, int attempt) {

		/** Whether no attempt has begun. */
		public boolean isUntouched() {
			return !this.claimed && this.attempt == 0;
		}

	}

	/**
	 * A row with a valid lease.
	 *
	 * @param offered epoch of the lease
	 * @param passed whether the row is being sent now, under the next epoch
	 * @param attempt number of attempts before this one
	 * @param dataUntil end of the lease that a row which passed has from then on
	 * @param bytes size of the mail's content in the database
	 * @param barred the reason for which the row is not handed over; null if it is
	 */
	record FencedRow(UUID id, int offered, boolean passed, UUID accountId, UUID emailId, String recipient, int attempt,
			int ambiguous, @Nullable UUID contactId, Instant dataUntil, long bytes, Fenced.@Nullable Reason barred) {

		static FencedRow of(Readable row) {
			Fenced.@Nullable Reason barred = reason(row);
			return new FencedRow(value(row, "id", UUID.class), number(row, "epoch"), barred == null,
					value(row, "account_id", UUID.class), value(row, "email_id", UUID.class), text(row, "recipient"),
					number(row, "attempt"), number(row, "ambiguous"), row.get("contact_id", UUID.class),
					value(row, "data_until", Instant.class), value(row, "bytes", Long.class), barred);
		}

		private static Fenced.@Nullable Reason reason(Readable row) {
			if (on(row, "orphaned")) {
				return Fenced.Reason.CAMPAIGN_GONE;
			}
			if (on(row, "held")) {
				return Fenced.Reason.HELD;
			}
			if (on(row, "suppressed")) {
				return Fenced.Reason.SUPPRESSED;
			}
			return on(row, "exhausted") ? Fenced.Reason.EXHAUSTED : null;
		}

		/** The row, which passed, of a mail for which there is no memory. */
		FencedRow withoutRoom() {
			return new FencedRow(this.id, this.offered, this.passed, this.accountId, this.emailId, this.recipient,
					this.attempt, this.ambiguous, this.contactId, this.dataUntil, this.bytes, Fenced.Reason.NO_ROOM);
		}

		/** The lease that the worker presented. */
		Lease presented() {
			return new Lease(this.id, this.offered);
		}

		/** The lease for the result of the delivery. */
		Lease lease() {
			return new Lease(this.id, this.passed ? this.offered + 1 : this.offered);
		}

	}

}
