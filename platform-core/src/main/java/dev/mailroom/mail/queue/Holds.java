package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.SqlStatement;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * Held destinations and the pauses of the queue. Changes join the caller's transaction,
 * which must span accounts.
 */
@Repository
@AcrossAccounts("destinations and the queue belong to no account")
public class Holds {

	private final DatabaseClient database;

	private final JdbcTransactions threads;

	Holds(DatabaseClient database, JdbcTransactions threads) {
		this.database = database;
		this.threads = threads;
	}

	/** The stops in force, for workers. */
	public Stops stops() {
		return this.threads.acrossAccounts((jdbc) -> SqlStatement.of("""
				select array(select destination from destination_hold where released_at is null) as destinations,
				       (select count(*) = 2 from queue_pause) as paused, now() as read_at
				""")
			.list(jdbc,
					(row) -> new Stops(Set.of(value(row, "destinations", String[].class)), on(row, "paused"),
							value(row, "read_at", Instant.class)))
			.getFirst());
	}

	/** Held destinations by name. */
	public Mono<List<DestinationHold>> list(int limit) {
		return this.database.sql("""
				select destination, reason, held_by, held_at, until from destination_hold
				 where released_at is null order by destination limit :limit
				""").bind("limit", limit).mapProperties(DestinationHold.class).all().collectList();
	}

	/** Number of holds, including those that have ended and whose mail is made due. */
	public Mono<Long> count() {
		return this.database.sql("select count(*) from destination_hold").mapValue(Long.class).one();
	}

	/** Holds a destination, or replaces the reason and the end of its hold. */
	public Mono<Void> hold(DestinationHold hold) {
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
		@Nullable Instant until = hold.until();
		return ((until != null) ? insert.bind("until", until) : insert.bindNull("until", Instant.class)).then();
	}

	/** Ends a hold; false if the destination is not held. */
	public Mono<Boolean> release(String destination) {
		return this.database.sql("""
				update destination_hold set released_at = now() where destination = :destination and released_at is null
				""").bind("destination", destination).fetch().rowsUpdated().map((rows) -> rows > 0);
	}

	/**
	 * Ends the holds whose time is over.
	 * @return destinations whose hold has ended and whose deliveries may still be held
	 */
	List<String> ended() {
		return this.threads.acrossAccounts((jdbc) -> {
			SqlStatement
				.of("update destination_hold set released_at = now() where released_at is null and until <= now()")
				.update(jdbc);
			return SqlStatement
				.of("select destination from destination_hold where released_at is not null order by destination")
				.list(jdbc, (row) -> text(row, "destination"));
		});
	}

	/**
	 * Removes a hold that has ended, unless it was begun again; no delivery of the
	 * destination is held any more.
	 */
	void remove(String destination) {
		this.threads.runAcrossAccounts((jdbc) -> SqlStatement
			.of("delete from destination_hold where destination = :destination and released_at is not null")
			.bind("destination", destination)
			.update(jdbc));
	}

	/** Pauses a stream of the queue; false if it is paused already. */
	public Mono<Boolean> pause(QueuePause pause) {
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

	/** Resumes a stream of the queue; false if it is not paused. */
	public Mono<Boolean> resume(boolean campaign) {
		return this.database.sql("delete from queue_pause where campaign = :campaign")
			.bind("campaign", campaign)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/**
	 * The stops in force.
	 *
	 * @param destinations held domains
	 * @param paused whether no hand-over may begin; the pause of one stream is read by
	 * the lease and the fence
	 * @param readAt when they were read, by the database's clock
	 */
	public record Stops(Set<String> destinations, boolean paused, Instant readAt) {

		/** The stops before the first read: no hand-over may begin. */
		public static final Stops UNKNOWN = new Stops(Set.of(), true, Instant.EPOCH);

	}

	/**
	 * A destination whose mail waits in the queue.
	 *
	 * @param destination the recipients' domain, lower-case and ASCII
	 * @param heldBy account of the operator
	 * @param until time at which the hold ends automatically; null if it must be released
	 */
	public record DestinationHold(String destination, String reason, UUID heldBy, Instant heldAt,
			@Nullable Instant until) {
	}

	/**
	 * The pause of a stream of the queue: its mail is accepted, and no hand-over of it is
	 * begun.
	 *
	 * @param campaign whether it is the stream of campaigns, or that of all other mail
	 * @param pausedBy account of the operator
	 */
	public record QueuePause(boolean campaign, String reason, UUID pausedBy, Instant pausedAt) {
	}

}
