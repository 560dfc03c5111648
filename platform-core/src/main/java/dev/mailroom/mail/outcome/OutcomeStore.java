package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.IdRange;
import dev.mailroom.mail.queue.RetrySchedule;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * SQL of settlements. Rows are locked in the same order everywhere: those of the queue,
 * then deliveries, then mails, each in the order of their ids.
 */
@Repository
@AcrossAccounts("workers hold deliveries of every account")
class OutcomeStore {

	/** Maximum delay (ms) after a settlement that does not count as an attempt. */
	private static final int UNCOUNTED_DELAY = 5_000;

	private final DatabaseClient database;

	OutcomeStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Settles deliveries that are still held under the same lease. A final reply also
	 * counts after the lease has expired, unless another hand-over has begun, because a
	 * mail that a server accepted must not be sent again. An attempt that was not begun
	 * is not counted, and changes nothing that is shown to the sender. A mail expires
	 * after its last attempt, or by its age after a minimum number of attempts.
	 */
	Flux<SettledDelivery> settle(List<Settlement> settlements, RetrySchedule retries) {
		return this.database
			.sql("""
					with input as (
					    select * from unnest(:ids::uuid[], :epochs::int[], :results::text[], :counts::boolean[],
					                         :bounces::text[], :replies::text[])
					           as input(id, epoch, result, counts, bounce, reply)),
					locked as (
					    select queue.id, queue.email_id, input.epoch, input.result as reported, input.counts, input.bounce, input.reply,
					           queue.attempt + case when input.counts then 1
					                                when input.result = 'unopened' and queue.data_until is not null then -1
					                                else 0 end as attempt,
					           queue.attempt = 1 and input.result <> 'unopened' as first, queue.ambiguous,
					           case when queue.campaign then :campaign::bigint[] else :transactional::bigint[] end as delays,
					           case when queue.campaign then :campaign_max_age else :max_age end * interval '1 millisecond'
					               as max_age,
					           extract(epoch from now() - queue.due_at)::float8 as waited
					      from input join queue on queue.id = input.id left join lease on lease.id = input.id
					     where (queue.data_until is not null and queue.epoch = input.epoch)
					        or (queue.data_until is null and queue.epoch <> input.epoch and lease.epoch = input.epoch)
					        or (queue.data_until is null and input.result in ('delivered', 'sent', 'bounced'))
					     order by queue.id for update of queue),
					decided as (
					    select distinct on (locked.id) locked.*, email.domain_id, delivery.reply is null as first_reply,
					           case when reported in ('deferred', 'unopened')
					                     and (now() - greatest(email.created_at, email.scheduled_at) > max_age
					                              and locked.attempt >= least(:min_attempts, cardinality(delays))
					                          or locked.attempt > cardinality(delays))
					                then 'expired' else reported end as result
					      from locked join delivery on delivery.id = locked.id and delivery.email_id = locked.email_id
					      join email on email.id = locked.email_id
					     order by locked.id, reported in ('delivered', 'sent', 'bounced') desc),
					returned as (
					    delete from lease using decided where lease.id = decided.id),
					finished as (
					    delete from queue using decided
					     where queue.id = decided.id and result not in ('deferred', 'unopened')),
					requeued as (
					    update queue
					       set attempt = decided.attempt, data_until = null, ready = false,
					           epoch = decided.epoch,
					           due_at = now() + random() * interval '1 millisecond'
					                    * case when result = 'unopened' and not counts then :uncounted_delay
					                           else delays[decided.attempt] end
					      from decided where queue.id = decided.id and result in ('deferred', 'unopened'))
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
					          decided.bounce, delivery.reply, decided.waited as waited_seconds
					""")
			.bind("ids", column(settlements, (one) -> one.lease().delivery(), UUID[]::new))
			.bind("epochs", column(settlements, (one) -> one.lease().epoch(), Integer[]::new))
			.bind("results", column(settlements, (one) -> one.result().wire(), String[]::new))
			.bind("counts", column(settlements, Settlement::countsAttempt, Boolean[]::new))
			.bind("bounces", column(settlements, Settlement::bounceType, String[]::new))
			.bind("replies", column(settlements, Settlement::reply, String[]::new))
			.bind("transactional", retries.transactional().delayMillis())
			.bind("campaign", retries.campaign().delayMillis())
			.bind("max_age", retries.transactional().maxAge().toMillis())
			.bind("campaign_max_age", retries.campaign().maxAge().toMillis())
			.bind("min_attempts", RetrySchedule.MIN_ATTEMPTS)
			.bind("uncounted_delay", UNCOUNTED_DELAY)
			.map(SettledDelivery::of)
			.all();
	}

	/** Locks the mails, so that settlements of their other recipients wait. */
	Mono<Void> lockEmails(Map<UUID, String> lastEvents) {
		IdRange range = IdRange.of(lastEvents.keySet());
		return lastEvents.isEmpty() ? Mono.empty()
				: this.database.sql("""
						select id from email where id = any(:emails) and id between :min and :max order by id for update
						""")
					.bind("emails", lastEvents.keySet().toArray(UUID[]::new))
					.bind("min", range.min())
					.bind("max", range.max())
					.then();
	}

	/** Sets the status of each mail from those of its deliveries, and its last event. */
	Mono<Void> updateEmails(Map<UUID, String> lastEvents) {
		IdRange range = IdRange.of(lastEvents.keySet());
		return lastEvents.isEmpty() ? Mono.empty() : this.database.sql("""
				update email
				   set status = coalesce(
				           (array['complained', 'bounced', 'failed', 'pending', 'sent', 'delivered'])[
				               (select min(array_position(array['complained', 'bounced', 'failed', 'pending', 'sent',
				                                                'delivered'], delivery.status))
				                  from delivery
				                 where delivery.email_id = email.id and delivery.email_id between :min and :max)],
				           'failed'),
				       last_event = settled.last_event
				  from unnest(:emails::uuid[], :events::text[]) as settled(id, last_event)
				 where email.id = settled.id and email.id between :min and :max
				""")
			.bind("emails", lastEvents.keySet().toArray(UUID[]::new))
			.bind("min", range.min())
			.bind("max", range.max())
			.bind("events", lastEvents.values().toArray(String[]::new))
			.then();
	}

	private static <T> @Nullable T[] column(List<Settlement> rows, Function<Settlement, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

}
