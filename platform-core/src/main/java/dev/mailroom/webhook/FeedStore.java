package dev.mailroom.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.IdRange;
import dev.mailroom.mail.log.EventPayload;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the feed. */
@Repository
class FeedStore {

	/** Limit on the difference between the clocks of the processes that create ids. */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

	private static final UUID LOWEST_ID = new UUID(0, 0);

	private static final UUID HIGHEST_ID = new UUID(-1, -1);

	private final DatabaseClient database;

	private final JsonMapper json;

	FeedStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/**
	 * Reads the events of transactions that are older than every running one. No
	 * transaction can still add an event before these.
	 */
	Flux<Feed.Entry> read(Scope scope, Feed.@Nullable Cursor after, Instant since, int limit) {
		return this.database
			.sql("""
					select transaction_id::text as transaction, event.id, kind, event.created_at, %s from event %s
					 where event.account_id = :account and event.created_at >= :since and event.id >= :oldest
					   -- the number differs in a cell to which the account was moved
					   -- (row-level security keeps a comparison with coalesce itself out of the index)
					   and (transaction_id, event.id) > ((select coalesce(
					           (select last.transaction_id from event as last where last.id = :id and last.account_id = :account),
					           :transaction::text::xid8)), :id)
					   and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
					 order by transaction_id, event.id limit :limit
					"""
				.formatted(EventPayload.COLUMNS, EventPayload.JOIN))
			.bind("account", scope.account())
			.bind("since", since)
			.bind("oldest", lowestId(since))
			.bind("transaction", (after != null) ? Long.toString(after.transaction()) : "0")
			.bind("id", (after != null) ? after.id() : LOWEST_ID)
			.bind("limit", limit)
			.map(this::entry)
			.all();
	}

	/** The last position before the transactions that {@link #read} does not show yet. */
	Mono<Feed.Cursor> end(Scope scope) {
		return this.database
			.sql("select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text "
					+ "where cast(:account as uuid) is not null")
			.bind("account", scope.account())
			.mapValue(String.class)
			.one()
			.map((transaction) -> new Feed.Cursor(Long.parseLong(transaction), HIGHEST_ID));
	}

	Flux<Feed.EmailEvent> ofEmail(Scope scope, UUID emailId, Page.Request page) {
		Page.@Nullable Cursor cursor = page.cursor();
		DatabaseClient.GenericExecuteSpec bound = this.database
			.sql("""
					select event.id, kind, event.created_at, %s from event %s
					 where event.account_id = :account and email_id = :email and event.id >= :oldest %s
					 order by event.id desc limit :limit offset :offset
					""".formatted(EventPayload.COLUMNS, EventPayload.JOIN,
					(cursor != null) ? "and event.id < :cursor" : ""))
			.bind("account", scope.account())
			.bind("email", emailId)
			.bind("oldest", lowestId(IdRange.time(emailId)))
			.bind("limit", page.rows())
			.bind("offset", page.offset());
		return ((cursor != null) ? bound.bind("cursor", cursor.id()) : bound)
			.map((row) -> new Feed.EmailEvent(value(row, "id", UUID.class), value(row, "kind", String.class),
					EventPayload.read(row, this.json), value(row, "created_at", Instant.class)))
			.all();
	}

	/** The newest events of several emails, up to a limit for each. */
	Flux<Feed.MailEvent> ofEmails(Scope scope, Collection<UUID> emailIds, int limit) {
		return this.database.sql("""
				select event.id, kind, event.created_at, %s
				  from (select *, row_number() over (partition by event.email_id order by event.id desc) as number
				          from event
				         where account_id = :account and email_id = any(:emails) and id >= :oldest) as event %s
				 where number <= :limit order by event.id desc
				""".formatted(EventPayload.COLUMNS, EventPayload.JOIN))
			.bind("account", scope.account())
			.bind("emails", emailIds.toArray(UUID[]::new))
			.bind("oldest", lowestId(IdRange.time(IdRange.of(emailIds).min())))
			.bind("limit", limit)
			.map((row) -> new Feed.MailEvent(value(row, "email_id", UUID.class),
					new Feed.EmailEvent(value(row, "id", UUID.class), value(row, "kind", String.class),
							EventPayload.read(row, this.json), value(row, "created_at", Instant.class))))
			.all();
	}

	Mono<Long> countOfEmail(Scope scope, UUID emailId) {
		return this.database.sql("""
				select count(*) from event where account_id = :account and email_id = :email and id >= :oldest
				""")
			.bind("account", scope.account())
			.bind("email", emailId)
			.bind("oldest", lowestId(IdRange.time(emailId)))
			.mapValue(Long.class)
			.one();
	}

	private Feed.Entry entry(Readable row) {
		long transaction = Long.parseLong(value(row, "transaction", String.class));
		return new Feed.Entry(new Feed.Cursor(transaction, value(row, "id", UUID.class)),
				value(row, "kind", String.class), row.get("email_id", UUID.class), EventPayload.read(row, this.json),
				value(row, "created_at", Instant.class));
	}

	/**
	 * The smallest id of events since a time, which excludes the partitions of earlier
	 * months.
	 */
	private static UUID lowestId(Instant since) {
		return IdRange.lowest(since.minus(CLOCK_DIFFERENCE));
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
