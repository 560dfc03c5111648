package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPools;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * Reads of the dispatcher: the accounts that have ready mail, the next deliveries of
 * each, and the state of those that it has published.
 */
@Repository
@AcrossAccounts("the queue serves every account; its callers take the role that sees them all")
class ReadyMail {

	/** Streams of accounts that a turn visits at most. */
	static final int MAX_STREAMS = 1_000;

	/** Destinations of a stream that a turn visits at most. */
	private static final int MAX_DESTINATIONS = 1_000;

	private final JsonMapper json;

	private final QueueSettings settings;

	ReadyMail(JsonMapper json, QueueSettings settings) {
		this.json = json;
		this.settings = settings;
	}

	/** An empty window with the time limit of leases. */
	Window window(int size, int share) {
		return new Window(size, share, this.settings.lease(), this.settings.dataLease());
	}

	/**
	 * Streams with ready rows in the order of their accounts, transactional mail first.
	 * The cost depends on the number of accounts and not of rows.
	 * @param after account behind which they start
	 */
	List<Stream> streams(JdbcClient jdbc, UUID after) {
		return SqlStatement
			.of("""
					with recursive stream as (
					    (select account_id, campaign, 1 as number from queue
					      where ready and account_id > :after order by account_id, campaign limit 1)
					    union all
					    select next.account_id, next.campaign, stream.number + 1
					      from stream cross join lateral (
					          select account_id, campaign from queue
					           where ready and (account_id, campaign) > (stream.account_id, stream.campaign)
					           order by account_id, campaign limit 1) as next
					     where stream.number < :max)
					select stream.account_id, stream.campaign, account.transport, account.plan,
					       case when account.paused_reason is null and stream.campaign not in (select campaign from queue_pause)
					            then plan.weight else 0 end as weight,
					       exists (select from domain
					                where domain.account_id = account.id
					                  and (domain.transport is not null or domain.require_tls)) as has_choice
					  from stream join account on account.id = stream.account_id join plan on plan.name = account.plan
					 order by stream.number
					""")
			.bind("after", after)
			.bind("max", MAX_STREAMS)
			.list(jdbc,
					(row) -> new Stream(value(row, "account_id", UUID.class), on(row, "campaign"),
							number(row, "weight"), TransportKind.of(row.get("transport", String.class)),
							on(row, "has_choice"), text(row, "plan")));
	}

	/** Whether the queue has no rows. */
	boolean isEmpty(JdbcClient jdbc) {
		return SqlStatement.of("select not exists (select from queue) as empty")
			.list(jdbc, (row) -> on(row, "empty"))
			.getFirst();
	}

	/**
	 * The next ready deliveries of streams in their order, of each destination by
	 * destination, and of a destination those that are due first. Deliveries in the
	 * window and those that are being sent are left out.
	 * @param visits streams with the number of deliveries wanted of each
	 * @param pools pools of the mail
	 */
	List<Due> next(JdbcClient jdbc, List<Visit> visits, Window window, SendingPools pools) {
		Columns<Visit> columns = Columns.of(visits);
		Collection<UUID> accounts = visits.stream().map((visit) -> visit.stream().account()).toList();
		return SqlStatement
			.of("""
					with taken as materialized (select id from unnest(:taken::uuid[]) as input(id))
					select visit.number::int - 1 as number, next.id, next.epoch, next.destination, next.late_seconds,
					       next.attempt, choice.transport, choice.require_tls, choice.id as domain_id
					  from unnest(:accounts::uuid[], :campaigns::boolean[], :choices::boolean[], :wanted::int[], :after::text[])
					       with ordinality as visit(account_id, campaign, has_choice, wanted, after, number)
					  cross join lateral (
					      with recursive place as (
					          -- destinations one by one
					          (select destination, 1 as number from queue
					            where account_id = visit.account_id and campaign = visit.campaign and ready
					              and destination > visit.after
					            order by destination limit 1)
					          union all
					          select following.destination, place.number + 1
					            from place cross join lateral (
					                select destination from queue
					                 where account_id = visit.account_id and campaign = visit.campaign and ready
					                   and destination > place.destination
					                 order by destination limit 1) as following
					           where place.number < :max)
					      select due.* from place cross join lateral (
					          select id, epoch, email_id, destination, attempt,
					                 greatest(0, extract(epoch from now() - case when attempt = 0 then first_due_at else due_at end))::float8
					                     as late_seconds
					            from queue
					           where account_id = visit.account_id and campaign = visit.campaign and ready
					             and destination = place.destination and data_until is null
					             -- "not in" makes the planner hash the ids; a join would compare them one by one
					             and id not in (select taken.id from taken)
					           order by due_at, id
					           limit coalesce((:rooms::jsonb -> visit.account_id::text ->> place.destination)::int, :first)) as due
					       limit visit.wanted) as next
					  left join lateral (
					      select domain.id, domain.transport, domain.require_tls from email join domain on domain.id = email.domain_id
					       -- looked up only if the account has a domain with a choice
					       where email.id = case when visit.has_choice then next.email_id end
					       offset 0) as choice on true
					 limit :room
					""")
			.bind("taken", window.ids())
			.bind("accounts", columns.uuids((visit) -> visit.stream().account()))
			.bind("campaigns", columns.booleans((visit) -> visit.stream().campaign()))
			.bind("choices",
					columns.booleans(
							(visit) -> visit.stream().hasChoice() || pools.hasDomainChoice(visit.stream().account())))
			.bind("wanted", columns.integers(Visit::wanted))
			.bind("after", columns.texts(Visit::after))
			.bind("max", MAX_DESTINATIONS)
			.bind("rooms", this.json.writeValueAsString(window.rooms(accounts)))
			.bind("first", window.firstLimit())
			.bind("room", window.room())
			.list(jdbc, (row) -> {
				Stream stream = visits.get(number(row, "number")).stream();
				@Nullable TransportKind choice = TransportKind.of(row.get("transport", String.class));
				Route route = new Route(stream.account(), text(row, "destination"),
						(choice != null) ? choice : stream.transport(),
						Boolean.TRUE.equals(row.get("require_tls", Boolean.class)), origin(pools, stream, row));
				return new Due(stream, new Lease(value(row, "id", UUID.class), number(row, "epoch"), route),
						Duration.ofNanos((long) (value(row, "late_seconds", Double.class) * 1e9)));
			});
	}

	private static Route.@Nullable Origin origin(SendingPools pools, Stream stream, Readable row) {
		@Nullable PoolChoice choice = pools.choice(stream.account(), stream.plan(), row.get("domain_id", UUID.class),
				stream.campaign());
		return (choice != null) ? new Route.Origin(choice.pool(), stream.campaign(), number(row, "attempt") > 0, null)
				: null;
	}

	/**
	 * Positions of published deliveries in the queue; finished ones are absent.
	 */
	Map<UUID, Window.Position> positions(JdbcClient jdbc, UUID[] deliveries) {
		Map<UUID, Window.Position> positions = new HashMap<>();
		SqlStatement
			.of("""
					select id, epoch, ready, data_until is not null as claimed, coalesce(data_until < now(), false) as expired
					  from queue where id = any(:ids)
					""")
			.bind("ids", deliveries)
			.list(jdbc, (row) -> positions.put(value(row, "id", UUID.class), new Window.Position(number(row, "epoch"),
					on(row, "ready"), on(row, "claimed"), on(row, "expired"))));
		return positions;
	}

	/**
	 * Adds deliveries that are being sent to the window, from a part of the queue in the
	 * order of ids.
	 * @param after the last delivery of the part before
	 * @param rows number of rows that are read
	 * @return the last delivery of the part; null if there are no more
	 */
	@Nullable UUID findClaimed(JdbcClient jdbc, Window window, UUID after, int rows) {
		List<Claimed> claimed = SqlStatement
			.of("""
					with part as materialized (
					    select id, epoch, account_id, campaign, destination, data_until, row_number() over (order by id) as number
					      from queue where id > :after order by id limit :rows)
					select id, epoch, account_id, campaign, destination, data_until is not null as claimed, number
					  from part where data_until is not null or number = :rows
					""")
			.bind("after", after)
			.bind("rows", rows)
			.list(jdbc, (row) -> {
				UUID id = value(row, "id", UUID.class);
				if (on(row, "claimed")) {
					window.addClaimed(id, number(row, "epoch"), value(row, "account_id", UUID.class),
							on(row, "campaign"), text(row, "destination"));
				}
				return new Claimed(id, value(row, "number", Long.class));
			});
		return claimed.stream().filter((row) -> row.number() == rows).map(Claimed::id).findFirst().orElse(null);
	}

	/**
	 * One of the two streams of an account.
	 *
	 * @param weight of the account's plan, in quarters; 0 if the account is suspended or
	 * the stream is paused
	 * @param transport chosen for the account; null for the platform's
	 * @param hasChoice whether a domain of the account has a transport of its own, or
	 * requires TLS
	 * @param plan name of the account's plan
	 */
	record Stream(UUID account, boolean campaign, int weight, @Nullable TransportKind transport, boolean hasChoice,
			String plan) {
	}

	/**
	 * A visit of a stream in a turn.
	 *
	 * @param wanted maximum number of deliveries
	 * @param after destination behind which it starts
	 */
	record Visit(Stream stream, int wanted, String after) {
	}

	/**
	 * A delivery that may be published.
	 *
	 * @param late time since the delivery was due first, or for its next attempt; 0 if it
	 * was accepted after the transaction had begun
	 */
	record Due(Stream stream, Lease lease, Duration late) {
	}

	/** A row of a part of the queue; the number is its place in it. */
	private record Claimed(UUID id, long number) {
	}

}
