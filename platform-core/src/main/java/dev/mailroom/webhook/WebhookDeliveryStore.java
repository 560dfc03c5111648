package dev.mailroom.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.IdRange;
import dev.mailroom.database.PageSql;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.event.EventKind;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.value;

/** SQL of webhook calls. Due times come from the database's clock. */
@Repository
class WebhookDeliveryStore {

	/** A new UUIDv7, made as in the trigger that queues calls. */
	static final String NEW_ID = """
			encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
			    substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
			    52, 1), 53, 1), 'hex')::uuid
			""";

	/**
	 * Limit on the difference between the clocks of the apps, which create ids, and of
	 * the database.
	 */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(5);

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	WebhookDeliveryStore(DatabaseClient database, NoArgGenerator ids) {
		this.database = database;
		this.ids = ids;
	}

	/** Inserts a call that is due now and is made even if the endpoint is inactive. */
	Mono<WebhookDelivery> insert(WebhookEndpoint endpoint, UUID eventId, EventKind kind) {
		return this.database
			.sql("""
					insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, requested, due_at, created_at)
					values (:id, :account, :endpoint, :event, :kind, true, now(), now()) returning *
					""")
			.bind("id", this.ids.generate())
			.bind("account", endpoint.accountId())
			.bind("endpoint", endpoint.id())
			.bind("event", eventId)
			.bind("kind", kind.contractName())
			.mapProperties(WebhookDelivery.class)
			.one();
	}

	/** Reads one row more than the page holds, to detect the last page. */
	Flux<WebhookDelivery> list(Scope scope, UUID endpointId, Page.Request page) {
		GenericExecuteSpec list = this.database
			.sql("select * from webhook_delivery where endpoint_id = :endpoint and account_id = :account"
					+ PageSql.of(page))
			.bind("endpoint", endpointId)
			.bind("account", scope.account());
		return PageSql.bind(list, page, page.limit() + 1).mapProperties(WebhookDelivery.class).all();
	}

	Mono<WebhookDelivery> find(Scope scope, UUID id) {
		return this.database.sql("select * from webhook_delivery where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(WebhookDelivery.class)
			.one();
	}

	/** Counts the newest calls since a time, up to a limit for each endpoint. */
	Flux<WebhookDelivery.Counts> counts(Scope scope, Collection<UUID> endpoints, Instant since, int limit) {
		return this.database
			.sql("""
					select endpoint_id, count(*) filter (where status = 'delivered') as delivered,
					       count(*) filter (where status = 'failed' or status = 'pending' and attempt > 0) as failed
					  from unnest(:endpoints::uuid[]) as listed(endpoint_id)
					 cross join lateral (
					     select status, attempt from webhook_delivery as call
					      where call.endpoint_id = listed.endpoint_id and call.account_id = :account and created_at >= :since
					      order by created_at desc limit :limit) as recent
					 group by endpoint_id
					""")
			.bind("endpoints", endpoints.toArray(UUID[]::new))
			.bind("account", scope.account())
			.bind("since", since)
			.bind("limit", limit)
			.mapProperties(WebhookDelivery.Counts.class)
			.all();
	}

	/** Number of calls to an endpoint, from the counter that a trigger maintains. */
	Mono<Long> count(Scope scope, UUID endpointId) {
		return this.database.sql("""
				select coalesce(sum(count), 0)::bigint from webhook_delivery_count
				 where endpoint_id = :endpoint and account_id = :account
				""").bind("endpoint", endpointId).bind("account", scope.account()).mapValue(Long.class).one();
	}

	/** The calls that report some events, newest first. */
	Flux<WebhookDelivery> ofEvents(Scope scope, Collection<UUID> events, int limit) {
		IdRange range = IdRange.of(events);
		return this.database.sql("""
				select call.* from webhook_endpoint as endpoint
				  join webhook_delivery as call
				    on call.account_id = :account and call.endpoint_id = endpoint.id and call.event_id = any(:events)
				   and call.event_id between :min and :max
				 where endpoint.account_id = :account order by call.created_at desc, call.id desc limit :limit
				""")
			.bind("account", scope.account())
			.bind("events", events.toArray(UUID[]::new))
			.bind("min", range.min())
			.bind("max", range.max())
			.bind("limit", limit)
			.mapProperties(WebhookDelivery.class)
			.all();
	}

	/** The attempts of calls, oldest first. */
	Flux<WebhookAttempt> attempts(Scope scope, Collection<UUID> deliveries) {
		IdRange range = IdRange.of(deliveries);
		return this.database.sql("""
				select * from webhook_attempt
				 where account_id = :account and delivery_id = any(:deliveries)
				   and delivery_id between :min and :max order by id
				""")
			.bind("account", scope.account())
			.bind("deliveries", deliveries.toArray(UUID[]::new))
			.bind("min", range.min())
			.bind("max", range.max())
			.mapProperties(WebhookAttempt.class)
			.all();
	}

	/**
	 * Queues a call again with its attempts reset. An attempt that is in progress counts
	 * as the first one.
	 */
	Mono<WebhookDelivery> requeue(Scope scope, UUID id) {
		return this.database.sql("""
				update webhook_delivery
				   set status = 'pending', settled_at = null, attempt = 0, requested = true, due_at = now()
				 where id = :id and account_id = :account
				   and exists (select from webhook_endpoint where webhook_endpoint.id = endpoint_id)
				returning *
				""").bind("id", id).bind("account", scope.account()).mapProperties(WebhookDelivery.class).one();
	}

	/**
	 * Queues failed calls and those that wait for another attempt again, oldest first.
	 * @return their number
	 */
	Mono<Long> recover(WebhookEndpoint endpoint, Instant since, Instant until, int limit) {
		return this.database.sql("""
				update webhook_delivery set status = 'pending', settled_at = null, attempt = 0, due_at = now()
				 where (id, event_id) in (
				    select id, event_id from webhook_delivery
				     where endpoint_id = :endpoint and account_id = :account
				       and (status = 'failed' or status = 'pending' and attempt > 0 and due_at > now())
				       and created_at >= :since and created_at < :until
				     order by created_at, id limit :limit for update)
				""")
			.bind("endpoint", endpoint.id())
			.bind("account", endpoint.accountId())
			.bind("since", since)
			.bind("until", until)
			.bind("limit", limit)
			.fetch()
			.rowsUpdated();
	}

	/**
	 * Queues events for which the endpoint has no call, because it was inactive or did
	 * not subscribe to their kind, oldest first.
	 * @return their number
	 */
	Mono<Long> addMissed(WebhookEndpoint endpoint, Instant since, Instant until, int limit) {
		return this.database.sql("""
				insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at)
				select %s, account_id, :endpoint, id, kind, now(), now()
				  from (select * from event
				         where account_id = :account and created_at >= :since and created_at < :until
				           and id >= :from and id < :to and kind = any(:kinds) and kind <> 'webhook.test'
				           and not exists (select from webhook_delivery as call
				                            where call.account_id = event.account_id and call.endpoint_id = :endpoint
				                              and call.event_id = event.id
				                              and call.event_id >= :from and call.event_id < :to)
				         order by id limit :limit) as missed
				on conflict (account_id, endpoint_id, event_id) do nothing
				""".formatted(NEW_ID))
			.bind("endpoint", endpoint.id())
			.bind("account", endpoint.accountId())
			.bind("since", since)
			.bind("until", until)
			.bind("from", lowestId(since.minus(CLOCK_DIFFERENCE)))
			.bind("to", lowestId(until.plus(CLOCK_DIFFERENCE)))
			.bind("kinds", endpoint.events().toArray(String[]::new))
			.bind("limit", limit)
			.fetch()
			.rowsUpdated();
	}

	/**
	 * State of the calls of all accounts. Calls to endpoints that fail or are switched
	 * off do not count as late.
	 */
	@AcrossAccounts("the backlog of all accounts is monitored")
	WebhookDeliveries.Backlog backlog(JdbcClient jdbc) {
		return SqlStatement
			.of("""
					with recursive waiting as (
					    (select endpoint_id from webhook_delivery where status = 'pending' order by endpoint_id limit 1)
					    union all
					    select (select endpoint_id from webhook_delivery
					             where status = 'pending' and endpoint_id > waiting.endpoint_id order by endpoint_id limit 1)
					      from waiting where waiting.endpoint_id is not null),
					late as (
					    select max(extract(epoch from now() - greatest(call.due_at, state.next_due_at))) as seconds
					      from waiting join webhook_state as state on state.endpoint_id = waiting.endpoint_id
					      join webhook_endpoint as endpoint on endpoint.id = state.endpoint_id
					     cross join lateral (select due_at from webhook_delivery
					                          where endpoint_id = state.endpoint_id and status = 'pending'
					                          order by due_at, id limit 1) as call
					     where endpoint.active and state.failures = 0)
					select coalesce(greatest((select seconds from late), 0), 0)::float8 as oldest_seconds,
					       count(*) filter (where active and state.failures = 0) as active,
					       count(*) filter (where active and state.failures > 0) as failing,
					       count(*) filter (where not active and disabled_reason is not null) as disabled,
					       count(*) filter (where not active and disabled_reason is null) as inactive
					  from webhook_endpoint join webhook_state as state on state.endpoint_id = webhook_endpoint.id
					""")
			.list(jdbc,
					(row) -> new WebhookDeliveries.Backlog(value(row, "oldest_seconds", Double.class),
							value(row, "active", Long.class), value(row, "failing", Long.class),
							value(row, "disabled", Long.class), value(row, "inactive", Long.class)))
			.getFirst();
	}

	/** The smallest UUIDv7 of a time (RFC 9562 section 5.7). */
	private static UUID lowestId(Instant time) {
		return new UUID(Math.max(0, time.toEpochMilli()) << 16, 0);
	}

}
