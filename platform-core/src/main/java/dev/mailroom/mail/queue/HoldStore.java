package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.Set;

import dev.mailroom.AcrossAccounts;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.value;

/** SQL of held destinations and of the pauses of the queue. */
@Repository
@AcrossAccounts("destinations and the queue belong to no account")
class HoldStore {

	private final DatabaseClient database;

	HoldStore(DatabaseClient database) {
		this.database = database;
	}

	/** The stops in force. */
	Mono<Holds.Stops> stops() {
		return this.database.sql("""
				select array(select destination from destination_hold where released_at is null) as destinations,
				       (select count(*) = 2 from queue_pause) as paused, now() as read_at
				""").map(HoldStore::stops).one();
	}

	private static Holds.Stops stops(Readable row) {
		return new Holds.Stops(Set.of(value(row, "destinations", String[].class)), on(row, "paused"),
				value(row, "read_at", Instant.class));
	}

	Flux<DestinationHold> list(int limit) {
		return this.database.sql("""
				select destination, reason, held_by, held_at, until from destination_hold
				 where released_at is null order by destination limit :limit
				""").bind("limit", limit).mapProperties(DestinationHold.class).all();
	}

	Mono<Long> count() {
		return this.database.sql("select count(*) from destination_hold").mapValue(Long.class).one();
	}

	/** Begins a hold, or replaces the reason and the end of the one in force. */
	Mono<Void> save(DestinationHold hold) {
		DatabaseClient.GenericExecuteSpec insert = this.database.sql("""
				insert into destination_hold (destination, reason, held_by, held_at, until)
				values (:destination, :reason, :by, :at, :until)
				on conflict (destination) do update
				   set reason = excluded.reason, held_by = excluded.held_by, held_at = excluded.held_at,
				       until = excluded.until, released_at = null
				""")
			.bind("destination", hold.destination())
			.bind("reason", hold.reason())
			.bind("by", hold.heldBy())
			.bind("at", hold.heldAt());
		Instant until = hold.until();
		return ((until != null) ? insert.bind("until", until) : insert.bindNull("until", Instant.class)).then();
	}

	/** Ends a hold; false if there is none. */
	Mono<Boolean> release(String destination) {
		return this.database.sql("""
				update destination_hold set released_at = now() where destination = :destination and released_at is null
				""").bind("destination", destination).fetch().rowsUpdated().map((rows) -> rows > 0);
	}

	/** Ends the holds whose time is over. */
	Mono<Void> releaseExpired() {
		return this.database
			.sql("update destination_hold set released_at = now() where released_at is null and until <= now()")
			.then();
	}

	/** Destinations whose hold has ended and whose deliveries may still be held. */
	Flux<String> released() {
		return this.database
			.sql("select destination from destination_hold where released_at is not null order by destination")
			.mapValue(String.class)
			.all();
	}

	/** Removes a hold that has ended, unless it was begun again. */
	Mono<Void> remove(String destination) {
		return this.database
			.sql("delete from destination_hold where destination = :destination and released_at is not null")
			.bind("destination", destination)
			.then();
	}

	/** Pauses a stream; false if it is paused. */
	Mono<Boolean> pause(QueuePause pause) {
		return this.database.sql("""
				insert into queue_pause (campaign, reason, paused_by, paused_at) values (:campaign, :reason, :by, :at)
				on conflict do nothing
				""")
			.bind("campaign", pause.campaign())
			.bind("reason", pause.reason())
			.bind("by", pause.pausedBy())
			.bind("at", pause.pausedAt())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Resumes a stream; false if it is not paused. */
	Mono<Boolean> resume(boolean campaign) {
		return this.database.sql("delete from queue_pause where campaign = :campaign")
			.bind("campaign", campaign)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

}
