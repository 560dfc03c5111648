package dev.mailroom.mail.outcome;

import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of dead letters. */
@Repository
@AcrossAccounts("operators read the dead letters of all accounts; some belong to none")
class DeadLetterStore {

	/** Condition on the columns of a dead letter, for {@link #select}. */
	private static final String MATCHES = """
			(:requeued::boolean is null or (requeued_at is not null) = :requeued)
			and (:why::text is null or strpos(lower(why), lower(:why)) > 0)
			and (:from::timestamptz is null or died_at >= :from) and (:until::timestamptz is null or died_at < :until)""";

	private final DatabaseClient database;

	DeadLetterStore(DatabaseClient database) {
		this.database = database;
	}

	/** Inserts an unreadable record of the topic. */
	void insert(JdbcClient jdbc, UUID id, String why) {
		SqlStatement.of("""
				insert into dead_letter (id, what, why, died_at) values (:id, 'record', :why, now())
				on conflict (id) do nothing
				""").bind("id", id).bind("why", why).update(jdbc);
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
	 */
	Flux<DeadLetters.Entry> list(DeadLetters.Filter filter, Page.Request page) {
		Page.@Nullable Cursor cursor = page.cursor();
		String beyond = (cursor == null) ? "" : " and (died_at %1$s= :time and (died_at %1$s :time or id %2$s :id))"
			.formatted(page.beyond(), page.backward() ? "<" : ">");
		DatabaseClient.GenericExecuteSpec query = select("""
				select * from dead_letter
				 where %s%s
				 order by died_at %s, id %s limit :limit
				""".formatted(MATCHES, beyond, page.direction(), page.backward() ? "desc" : "asc"), filter)
			.bind("limit", page.limit() + 1);
		query = (cursor != null) ? query.bind("time", cursor.createdAt()).bind("id", cursor.id()) : query;
		return query.mapProperties(DeadLetters.Entry.class).all();
	}

	/** Ids of matching dead letters whose mail can be requeued, oldest first. */
	Flux<UUID> findFailed(DeadLetters.Filter filter, int limit) {
		return select("""
				select id from dead_letter
				 where requeued_at is null and %s
				   and exists (select from delivery
				                where delivery.id = delivery_id and delivery.email_id = dead_letter.email_id
				                  and settled_at is not null and status = 'failed')
				   and (exists (select from email_content where email_id = dead_letter.email_id)
				        or exists (select from email join campaign on campaign.id = campaign_id
				                    where email.id = dead_letter.email_id))
				 order by died_at, id limit :limit
				""".formatted(MATCHES), filter).bind("limit", limit).mapValue(UUID.class).all();
	}

	private DatabaseClient.GenericExecuteSpec select(String sql, DeadLetters.Filter filter) {
		return this.database.sql(sql)
			.bind("requeued", Parameters.in(R2dbcType.BOOLEAN, filter.requeued()))
			.bind("why", Parameters.in(R2dbcType.VARCHAR, filter.why()))
			.bind("from", Parameters.in(R2dbcType.TIMESTAMP_WITH_TIME_ZONE, filter.from()))
			.bind("until", Parameters.in(R2dbcType.TIMESTAMP_WITH_TIME_ZONE, filter.until()));
	}

	/** Deletes a dead letter, unless its delivery was requeued and is pending. */
	Mono<DeadLetters.Entry> delete(UUID id) {
		return this.database.sql("""
				delete from dead_letter
				 where id = :id and not exists (select from queue where queue.id = dead_letter.delivery_id)
				returning *
				""").bind("id", id).mapProperties(DeadLetters.Entry.class).one();
	}

	long countWaiting(JdbcClient jdbc) {
		return SqlStatement.of("select count(*) from dead_letter where requeued_at is null").value(jdbc, Long.class);
	}

	/** Locks the dead letter of a delivery that was not requeued yet. */
	Mono<FailedDelivery> lockFailed(UUID id) {
		return this.database.sql("""
				select delivery_id, dead_letter.email_id, recipient
				  from dead_letter
				  join delivery on delivery.id = delivery_id and delivery.email_id = dead_letter.email_id
				 where dead_letter.id = :id and requeued_at is null for update of dead_letter
				""").bind("id", id).mapProperties(FailedDelivery.class).one();
	}

	Mono<Void> markRequeued(UUID id) {
		return this.database.sql("update dead_letter set requeued_at = now() where id = :id").bind("id", id).then();
	}

	/** The delivery of a dead letter. */
	record FailedDelivery(UUID deliveryId, UUID emailId, String recipient) {
	}

}
