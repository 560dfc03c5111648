package dev.mailroom.outcome;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.queue.RetrySchedule;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * SQL of settlements. All code that locks both deliveries and mails locks the deliveries
 * first, each in the order of their ids.
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
	 * is not counted. A mail expires after its last attempt, or by its age after a
	 * minimum number of attempts.
	 */
	Flux<SettledDelivery> settle(List<Settlement> settlements, RetrySchedule retries) {
		return this.database
			.sql("""
					with input as (
					    select * from unnest(:ids::uuid[], :epochs::int[], :results::text[], :counts::boolean[],
					                         :bounces::text[], :replies::text[])
					           as input(id, epoch, result, counts, bounce, reply)),
					locked as (
					    select delivery.id, email.domain_id, input.result as reported, input.counts, input.bounce, input.reply,
					           delivery.attempt + case when input.counts then 1
					                                   when input.result = 'unopened' and delivery.phase = 'in_data' then -1
					                                   else 0 end as attempt,
					           delivery.attempt = 1 and input.result <> 'unopened' as first,
					           delivery.reply is null and input.result in ('deferred', 'unopened') as first_delay,
					           case delivery.stream when 'campaign' then :campaign::bigint[] else :transactional::bigint[] end as delays,
					           now() - greatest(delivery.created_at, email.scheduled_at)
					               > (case delivery.stream when 'campaign' then :campaign_max_age else :max_age end)
					                 * interval '1 millisecond' as old,
					           extract(epoch from now() - delivery.due_at)::float8 as waited
					      from delivery join input on input.id = delivery.id join email on email.id = delivery.email_id
					     where (delivery.phase in ('leased', 'in_data') and delivery.epoch = input.epoch)
					        or (delivery.phase in ('queued', 'leased') and delivery.epoch >= input.epoch
					            and input.result in ('delivered', 'sent', 'bounced'))
					     order by delivery.id for update of delivery),
					decided as (
					    select locked.*,
					           case when reported in ('deferred', 'unopened')
					                     and (old and attempt >= least(:min_attempts, cardinality(delays))
					                          or attempt > cardinality(delays))
					                then 'expired' else reported end as result
					      from locked)
					update delivery
					   set phase = case when result in ('deferred', 'unopened') then 'queued' else 'done' end,
					       status = case result when 'deferred' then 'pending' when 'unopened' then 'pending'
					                             when 'expired' then 'failed' else result end,
					       attempt = decided.attempt, reply = decided.reply, lease_until = null,
					       due_at = case when result not in ('deferred', 'unopened') then due_at
					                     when result = 'unopened' and not decided.counts
					                     then now() + random() * :uncounted_delay * interval '1 millisecond'
					                     else now() + random() * decided.delays[decided.attempt] * interval '1 millisecond' end,
					       settled_at = case when result in ('deferred', 'unopened') then settled_at else now() end
					  from decided where delivery.id = decided.id
					returning delivery.id, delivery.account_id, decided.domain_id, delivery.email_id,
					          delivery.recipient, delivery.stream, decided.result, delivery.attempt,
					          decided.first, decided.first_delay,
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
		return lastEvents.isEmpty() ? Mono.empty()
				: this.database.sql("select id from email where id = any(:emails) order by id for update")
					.bind("emails", lastEvents.keySet().toArray(UUID[]::new))
					.then();
	}

	/** Sets the status of each mail from those of its deliveries, and its last event. */
	Mono<Void> updateEmails(Map<UUID, String> lastEvents) {
		return lastEvents.isEmpty() ? Mono.empty() : this.database.sql("""
				update email
				   set status = coalesce(
				           (array['complained', 'bounced', 'failed', 'pending', 'sent', 'delivered'])[
				               (select min(array_position(array['complained', 'bounced', 'failed', 'pending', 'sent',
				                                                'delivered'], delivery.status))
				                  from delivery where delivery.email_id = email.id)],
				           'failed'),
				       last_event = settled.last_event
				  from unnest(:emails::uuid[], :events::text[]) as settled(id, last_event)
				 where email.id = settled.id
				""")
			.bind("emails", lastEvents.keySet().toArray(UUID[]::new))
			.bind("events", lastEvents.values().toArray(String[]::new))
			.then();
	}

	private static <T> @Nullable T[] column(List<Settlement> rows, Function<Settlement, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

}
