package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of dead letters. */
@Repository
@AcrossAccounts("operators read the dead letters of all accounts; some belong to none")
class DeadLetterStore {

	private final DatabaseClient database;

	DeadLetterStore(DatabaseClient database) {
		this.database = database;
	}

	/** Inserts deliveries; one that failed before keeps its {@code requeued_at}. */
	Mono<Void> insert(List<SettledDelivery> dead) {
		return dead.isEmpty() ? Mono.empty()
				: this.database.sql("""
						insert into dead_letter (id, account_id, what, why, email_id, delivery_id, died_at)
						select id, account_id, 'mail', why, email_id, id, now()
						  from unnest(:ids::uuid[], :accounts::uuid[], :reasons::text[], :emails::uuid[])
						       as dead(id, account_id, why, email_id)
						 order by id
						on conflict (id) do update set why = excluded.why, died_at = excluded.died_at
						""")
					.bind("ids", column(dead, SettledDelivery::id, UUID[]::new))
					.bind("accounts", column(dead, SettledDelivery::accountId, UUID[]::new))
					.bind("reasons", column(dead, SettledDelivery::reply, String[]::new))
					.bind("emails", column(dead, SettledDelivery::emailId, UUID[]::new))
					.then();
	}

	/** Inserts an unreadable record of the topic. */
	Mono<Void> insert(UUID id, String why) {
		return this.database.sql("""
				insert into dead_letter (id, what, why, died_at) values (:id, 'record', :why, now())
				on conflict (id) do nothing
				""").bind("id", id).bind("why", why).then();
	}

	Flux<DeadLetters.Entry> newest(int limit) {
		return this.database.sql("select * from dead_letter order by died_at desc, id limit :limit")
			.bind("limit", limit)
			.mapProperties(DeadLetters.Entry.class)
			.all();
	}

	/**
	 * A page of the dead letters in the same order; those of one time are in the order of
	 * their ids.
	 * @param requeued whether they were requeued; null for all
	 */
	Flux<DeadLetters.Entry> list(@Nullable Boolean requeued, Page.Request page) {
		Page.@Nullable Cursor cursor = page.cursor();
		String beyond = (cursor == null) ? "" : " and (died_at %1$s= :time and (died_at %1$s :time or id %2$s :id))"
			.formatted(page.beyond(), page.backward() ? "<" : ">");
		DatabaseClient.GenericExecuteSpec query = this.database.sql("""
				select * from dead_letter
				 where (:requeued::boolean is null or (requeued_at is not null) = :requeued)%s
				 order by died_at %s, id %s limit :limit
				""".formatted(beyond, page.direction(), page.backward() ? "desc" : "asc"))
			.bind("limit", page.limit() + 1);
		query = (requeued != null) ? query.bind("requeued", requeued) : query.bindNull("requeued", Boolean.class);
		query = (cursor != null) ? query.bind("time", cursor.createdAt()).bind("id", cursor.id()) : query;
		return query.mapProperties(DeadLetters.Entry.class).all();
	}

	/** Deletes a dead letter, unless its delivery was requeued and is pending. */
	Mono<DeadLetters.Entry> delete(UUID id) {
		return this.database.sql("""
				delete from dead_letter
				 where id = :id and not exists (select from queue where queue.id = dead_letter.delivery_id)
				returning *
				""").bind("id", id).mapProperties(DeadLetters.Entry.class).one();
	}

	Mono<Long> countWaiting() {
		return this.database.sql("select count(*) from dead_letter where requeued_at is null")
			.mapValue(Long.class)
			.one();
	}

	/**
	 * Returns a delivery to the queue without any attempts, unless it was requeued before
	 * or its content has been removed. The content is locked against a removal, after the
	 * delivery. The mail of a campaign is sent whether the campaign runs or not. The
	 * dispatcher is notified.
	 */
	Flux<UUID> requeue(UUID id) {
		return this.database
			.sql("""
					with dead as materialized (
					    select delivery.id, delivery.email_id, email.campaign_id from dead_letter
					      join delivery on delivery.id = delivery_id and delivery.email_id = dead_letter.email_id
					                   and delivery.settled_at is not null and delivery.status = 'failed'
					      join email on email.id = delivery.email_id
					     where dead_letter.id = :id and requeued_at is null
					       for update of delivery, dead_letter),
					content as materialized (
					    select email_id from dead join email_content using (email_id) for share of email_content),
					failed as (
					    select id, email_id from dead
					     where email_id in (select email_id from content)
					        or exists (select from campaign where campaign.id = dead.campaign_id)),
					marked as (
					    update dead_letter set requeued_at = now() from failed where dead_letter.id = failed.id),
					pending as (
					    update delivery set status = 'pending', attempt = 0, reply = null, settled_at = null
					      from failed where delivery.id = failed.id and delivery.email_id = failed.email_id
					    returning delivery.*)
					insert into queue (id, account_id, email_id, recipient, destination, contact_id, campaign, ready, due_at,
					                   ambiguous)
					select id, account_id, email_id, recipient, lower(substring(recipient from '[^@]*$')), contact_id,
					       stream = 'campaign', true, now(), ambiguous
					  from pending
					returning email_id, pg_notify('mailroom_due', '')
					""")
			.bind("id", id)
			.mapValue(UUID.class)
			.all();
	}

	private static <T> @Nullable T[] column(List<SettledDelivery> rows, Function<SettledDelivery, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

}
