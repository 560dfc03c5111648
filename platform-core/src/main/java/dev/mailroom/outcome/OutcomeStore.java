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
 * Settles deliveries, many a statement. Deliveries are locked first and in order, then
 * their mails in order: as whoever else locks both does.
 */
@Repository
@AcrossAccounts("deliveries that workers held, of every account")
class OutcomeStore {

	/**
	 * Where no session could be opened and nothing was tried, it is tried again this soon
	 * (ms).
	 */
	private static final int UNTRIED_PAUSE = 5_000;

	private final DatabaseClient database;

	OutcomeStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Moves what is still held under the same lease, and says where it stands now. A last
	 * word counts also where the lease has run out meanwhile and nobody has begun anew:
	 * what a server has taken must not be sent again. What was not begun costs no
	 * attempt. However long a mail was held up before it was tried, it is tried a few
	 * times.
	 */
	Flux<SettledDelivery> move(List<Settlement> settlements, RetrySchedule retries) {
		return this.database
			.sql("""
					with told as (
					    select * from unnest(:ids::uuid[], :epochs::int[], :words::text[], :counts::boolean[],
					                         :bounces::text[], :replies::text[])
					           as told(id, epoch, word, counts, bounce, reply)),
					held as (
					    select delivery.id, email.domain_id, told.word, told.counts, told.bounce, told.reply,
					           delivery.attempt + case when told.counts then 1
					                                   when told.word = 'unopened' and delivery.phase = 'in_data' then -1
					                                   else 0 end as attempt,
					           delivery.attempt = 1 and told.word <> 'unopened' as first,
					           delivery.reply is null and told.word in ('deferred', 'unopened') as first_delay,
					           case delivery.stream when 'campaign' then :campaign::bigint[] else :usual::bigint[] end as delays,
					           now() - greatest(delivery.created_at, email.scheduled_at)
					               > (case delivery.stream when 'campaign' then :campaign_longest else :longest end)
					                 * interval '1 millisecond' as old,
					           extract(epoch from now() - delivery.due_at)::float8 as waited
					      from delivery join told on told.id = delivery.id join email on email.id = delivery.email_id
					     where (delivery.phase in ('leased', 'in_data') and delivery.epoch = told.epoch)
					        or (delivery.phase in ('queued', 'leased') and delivery.epoch >= told.epoch
					            and told.word in ('delivered', 'sent', 'bounced'))
					     order by delivery.id for update of delivery),
					judged as (
					    select held.*,
					           case when word in ('deferred', 'unopened')
					                     and (old and attempt >= least(:tries, cardinality(delays))
					                          or attempt > cardinality(delays))
					                then 'expired' else word end as outcome
					      from held)
					update delivery
					   set phase = case when outcome in ('deferred', 'unopened') then 'queued' else 'done' end,
					       status = case outcome when 'deferred' then 'pending' when 'unopened' then 'pending'
					                             when 'expired' then 'failed' else outcome end,
					       attempt = judged.attempt, reply = judged.reply, lease_until = null,
					       due_at = case when outcome not in ('deferred', 'unopened') then due_at
					                     when outcome = 'unopened' and not judged.counts
					                     then now() + random() * :pause * interval '1 millisecond'
					                     else now() + random() * judged.delays[judged.attempt] * interval '1 millisecond' end,
					       settled_at = case when outcome in ('deferred', 'unopened') then settled_at else now() end
					  from judged where delivery.id = judged.id
					returning delivery.id, delivery.account_id, judged.domain_id, delivery.email_id,
					          delivery.recipient, delivery.stream, judged.outcome as word, delivery.attempt,
					          judged.first, judged.first_delay,
					          judged.bounce, delivery.reply, judged.waited as waited_seconds
					""")
			.bind("ids", column(settlements, (one) -> one.lease().delivery(), UUID[]::new))
			.bind("epochs", column(settlements, (one) -> one.lease().epoch(), Integer[]::new))
			.bind("words", column(settlements, (one) -> OutcomeColumns.word(one.outcome()), String[]::new))
			.bind("counts", column(settlements, (one) -> OutcomeColumns.counts(one.outcome()), Boolean[]::new))
			.bind("bounces", column(settlements, (one) -> OutcomeColumns.bounce(one.outcome()), String[]::new))
			.bind("replies", column(settlements, (one) -> OutcomeColumns.reply(one.outcome()), String[]::new))
			.bind("usual", retries.transactional().delayMillis())
			.bind("campaign", retries.campaign().delayMillis())
			.bind("longest", retries.transactional().maxAge().toMillis())
			.bind("campaign_longest", retries.campaign().maxAge().toMillis())
			.bind("tries", RetrySchedule.MIN_ATTEMPTS)
			.bind("pause", UNTRIED_PAUSE)
			.map(SettledDelivery::of)
			.all();
	}

	/**
	 * Locks the mails: another recipient's settlement waits, and then sees this one's.
	 */
	Mono<Void> hold(Map<UUID, String> lastEvents) {
		return lastEvents.isEmpty() ? Mono.empty()
				: this.database.sql("select id from email where id = any(:emails) order by id for update")
					.bind("emails", lastEvents.keySet().toArray(UUID[]::new))
					.then();
	}

	/** Gives each mail the status that its recipients' come to, and its last event. */
	Mono<Void> refresh(Map<UUID, String> last) {
		return last.isEmpty() ? Mono.empty() : this.database.sql("""
				update email
				   set status = coalesce(
				           (array['complained', 'bounced', 'failed', 'pending', 'sent', 'delivered'])[
				               (select min(array_position(array['complained', 'bounced', 'failed', 'pending', 'sent',
				                                                'delivered'], delivery.status))
				                  from delivery where delivery.email_id = email.id)],
				           'failed'),
				       last_event = touched.last_event
				  from unnest(:emails::uuid[], :events::text[]) as touched(id, last_event)
				 where email.id = touched.id
				""")
			.bind("emails", last.keySet().toArray(UUID[]::new))
			.bind("events", last.values().toArray(String[]::new))
			.then();
	}

	private static <T> @Nullable T[] column(List<Settlement> rows, Function<Settlement, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

}
