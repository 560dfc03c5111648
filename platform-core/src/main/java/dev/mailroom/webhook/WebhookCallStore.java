package dev.mailroom.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.IdRange;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.mail.log.EventPayload;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;

/** SQL of leased endpoints and of the results of their calls. */
@Repository
@AcrossAccounts("calls of all accounts are made by the same workers, which take the role that sees them all")
class WebhookCallStore {

	/**
	 * Matches results that settle their call: it was accepted, the endpoint is gone, or
	 * this was the last attempt.
	 */
	private static final String FINAL = "(result.error is null or result.status = 410 "
			+ "or call.attempt + 1 > cardinality(:delays::bigint[]))";

	/** Longest time between two tries of a failing endpoint, which may have recovered. */
	private static final Duration MAX_PUT_OFF = Duration.ofMinutes(5);

	/**
	 * Time with failures only after which an endpoint is switched off: longer than all
	 * attempts of a call together, and than a weekend without the owner.
	 */
	static final Duration DISABLE_AFTER = Duration.ofDays(5);

	private final NoArgGenerator ids;

	private final JsonMapper json;

	private final WebhookSettings settings;

	WebhookCallStore(NoArgGenerator ids, JsonMapper json, WebhookSettings settings) {
		this.ids = ids;
		this.json = json;
		this.settings = settings;
	}

	boolean anyEndpoint(JdbcClient jdbc) {
		return jdbc.sql("select exists (select from webhook_endpoint)").query(Boolean.class).single();
	}

	/**
	 * Leases endpoints with due calls, in the order of their ids. They are found one by
	 * one (a loose index scan, whose cost depends on the number of endpoints with pending
	 * calls and not of calls). An endpoint that is switched off, or whose calls are
	 * postponed after a failure, is leased only for a call that its owner requested. The
	 * limits keep the planner from reading all calls into a hash table.
	 * @param events the ids of the events that are called for
	 */
	List<WebhookCalls.Leased> lease(JdbcClient jdbc, UUID after, IdRange events, int limit) {
		return SqlStatement
			.of("""
					with recursive waiting as (
					    (select endpoint_id from webhook_delivery
					      where status = 'pending' and endpoint_id > :after and event_id between :min and :max
					      order by endpoint_id limit 1)
					    union all
					    select (select endpoint_id from webhook_delivery
					             where status = 'pending' and endpoint_id > waiting.endpoint_id and event_id between :min and :max
					             order by endpoint_id limit 1)
					      from waiting where waiting.endpoint_id is not null),
					due as (
					    select state.endpoint_id,
					           endpoint.active and (state.next_due_at is null or state.next_due_at <= now()) as open
					      from waiting join webhook_state as state on state.endpoint_id = waiting.endpoint_id
					      join webhook_endpoint as endpoint on endpoint.id = state.endpoint_id
					     where (state.lease_until is null or state.lease_until < now())
					       and (endpoint.active and (state.next_due_at is null or state.next_due_at <= now())
					            and (select true from webhook_delivery as call
					                  where call.endpoint_id = state.endpoint_id and call.status = 'pending'
					                    and call.due_at <= now() and call.event_id between :min and :max limit 1)
					            or (select true from webhook_delivery as call
					                 where call.endpoint_id = state.endpoint_id and call.status = 'pending'
					                   and call.requested and call.due_at <= now() and call.event_id between :min and :max
					                 limit 1))
					     limit :limit for update of state skip locked)
					update webhook_state
					   set epoch = webhook_state.epoch + 1, lease_until = now() + :lease * interval '1 millisecond'
					  from due where webhook_state.endpoint_id = due.endpoint_id
					returning webhook_state.endpoint_id, webhook_state.epoch, due.open, webhook_state.failures > 0 as failing
					""")
			.bind("after", after)
			.bind("min", events.min())
			.bind("max", events.max())
			.bind("limit", limit)
			.bind("lease", WebhookCalls.LEASE.toMillis())
			.list(jdbc, WebhookCalls.Leased::of);
	}

	/**
	 * Due calls of leased endpoints, requested ones first. A failing endpoint has one
	 * call. The event is read only for the first attempt.
	 */
	List<DueCall> due(JdbcClient jdbc, List<WebhookCalls.Leased> leased, IdRange events, int limit) {
		Columns<WebhookCalls.Leased> columns = Columns.of(leased);
		return SqlStatement
			.of("""
					select endpoint.id as endpoint_id, endpoint.account_id, endpoint.url, endpoint.svix_headers, endpoint.sealed_secret,
					       case when endpoint.previous_until > now() then endpoint.sealed_previous end as sealed_previous,
					       call.id, call.event_id, call.kind, call.attempt, call.body, event.id is not null as has_event,
					       event.created_at,
					       case when call.body is null and not leased.failing then extract(epoch from now()
					            - greatest(call.created_at, state.next_due_at))::float8 end as first_wait, email.trace, %s
					  from unnest(:endpoints::uuid[], :opens::boolean[], :failings::boolean[]) as leased(id, open, failing)
					  join webhook_endpoint as endpoint on endpoint.id = leased.id
					  join webhook_state as state on state.endpoint_id = leased.id
					 cross join lateral (
					     (select * from webhook_delivery
					       where endpoint_id = leased.id and status = 'pending' and requested and due_at <= now()
					         and event_id between :min and :max
					       order by due_at, id limit :limit)
					     union all
					     (select * from webhook_delivery
					       where endpoint_id = leased.id and status = 'pending' and not requested and due_at <= now() and leased.open
					         and event_id between :min and :max
					       order by due_at, id limit :limit)
					      limit case when leased.failing then 1 else :limit end) as call
					  left join event on event.id = call.event_id and call.body is null %s
					"""
				.formatted(EventPayload.COLUMNS, EventPayload.JOIN))
			.bind("endpoints", columns.uuids(WebhookCalls.Leased::endpointId))
			.bind("opens", columns.booleans(WebhookCalls.Leased::open))
			.bind("failings", columns.booleans(WebhookCalls.Leased::failing))
			.bind("min", events.min())
			.bind("max", events.max())
			.bind("limit", limit)
			.list(jdbc, (row) -> DueCall.of(row, this.json));
	}

	/** Ends leases of endpoints without due calls. */
	void free(JdbcClient jdbc, List<UUID> endpoints) {
		if (!endpoints.isEmpty()) {
			SqlStatement.of("update webhook_state set lease_until = null where endpoint_id = any(:endpoints)")
				.bind("endpoints", endpoints.toArray(UUID[]::new))
				.update(jdbc);
		}
	}

	/**
	 * Stores the bodies of calls before their first attempt. The ids are a condition of
	 * the index, as those of results are: a join alone, planned while there are few
	 * calls, reads all of them.
	 */
	void freeze(JdbcClient jdbc, List<DueCall> calls) {
		if (!calls.isEmpty()) {
			Columns<DueCall> columns = Columns.of(calls);
			IdRange events = events(calls);
			SqlStatement.of("""
					update webhook_delivery set body = frozen.body
					  from unnest(:ids::uuid[], :bodies::text[]) as frozen(id, body)
					 where webhook_delivery.id = any(:ids::uuid[]) and webhook_delivery.id = frozen.id
					   and event_id between :min and :max
					""")
				.bind("ids", columns.uuids(DueCall::id))
				.bind("bodies", columns.texts(DueCall::body))
				.bind("min", events.min())
				.bind("max", events.max())
				.update(jdbc);
		}
	}

	/** Gives up calls whose event was removed before their first attempt. */
	void giveUp(JdbcClient jdbc, List<DueCall> calls) {
		if (!calls.isEmpty()) {
			IdRange events = events(calls);
			SqlStatement.of("""
					update webhook_delivery set status = 'failed', settled_at = now()
					 where id = any(:ids) and event_id between :min and :max
					""")
				.bind("ids", Columns.of(calls).uuids(DueCall::id))
				.bind("min", events.min())
				.bind("max", events.max())
				.update(jdbc);
		}
	}

	private static IdRange events(List<DueCall> calls) {
		return IdRange.of(calls.stream().map(DueCall::eventId).toList());
	}

	/**
	 * Ends a lease and records whether the endpoint works. A success ends a series of
	 * failures; a failure postpones all calls to the endpoint.
	 * @return whether the endpoint has been failing for too long; empty if the lease was
	 * lost
	 */
	Optional<Boolean> release(JdbcClient jdbc, LeasedEndpoint endpoint, List<CallResult> results) {
		return SqlStatement
			.of("""
					update webhook_state
					   set lease_until = null,
					       failures = case when :accepted then 0 when :failed then failures + 1 else failures end,
					       failing_since = case when :accepted then null when :failed then coalesce(failing_since, now())
					                            else failing_since end,
					       next_due_at = case
					           when :accepted and :retry_after = 0 then case when failures > 0 then now() else next_due_at end
					           when :failed then now() + greatest(:retry_after, case when :accepted then 0 else
					                least(:max_put_off, (:delays::bigint[])[least(failures + 1, cardinality(:delays::bigint[]))])
					                end) * interval '1 millisecond'
					           else next_due_at end
					 where endpoint_id = :endpoint and epoch = :epoch and lease_until is not null
					returning coalesce(failing_since <= now() - :disable_after * interval '1 millisecond', false) as failing_too_long
					""")
			.bind("accepted", results.stream().anyMatch(CallResult::isAccepted))
			.bind("failed", results.stream().anyMatch((result) -> !result.isAccepted()))
			.bind("retry_after", results.stream().mapToLong((result) -> result.retryAfter().toMillis()).max().orElse(0))
			.bind("max_put_off", MAX_PUT_OFF.toMillis())
			.bind("delays", this.settings.delayMillis())
			.bind("disable_after", DISABLE_AFTER.toMillis())
			.bind("endpoint", endpoint.endpointId())
			.bind("epoch", endpoint.epoch())
			.list(jdbc, (row) -> on(row, "failing_too_long"))
			.stream()
			.findFirst();
	}

	/** Records attempts: a call is settled, or due again after a delay. */
	void settle(JdbcClient jdbc, LeasedEndpoint endpoint, List<CallResult> results) {
		Columns<CallResult> columns = Columns.of(results);
		IdRange events = IdRange.of(results.stream().map(CallResult::eventId).toList());
		SqlStatement
			.of("""
					with result as (
					    select * from unnest(:attempts::uuid[], :ids::uuid[], :statuses::int[], :answers::text[], :errors::text[],
					                         :took::int[], :retries::bigint[], :times::timestamptz[])
					           as result(attempt_id, id, status, answer, error, took_ms, retry_after, attempted_at)),
					settled as (
					    update webhook_delivery as call
					       set attempt = call.attempt + 1, requested = false, last_status = result.status, answer = result.answer,
					           status = case when result.error is null then 'delivered' when %1$s then 'failed' else 'pending' end,
					           settled_at = case when %1$s then now() end,
					           due_at = case when %1$s then now()
					                         else now() + greatest(result.retry_after, (:delays::bigint[])[call.attempt + 1]
					                              * (0.9 + 0.2 * random())) * interval '1 millisecond' end
					      from result where call.id = any(:ids::uuid[]) and call.id = result.id
					       and coalesce(call.endpoint_id = :endpoint, false) and call.event_id between :min and :max
					    returning call.id)
					insert into webhook_attempt (id, account_id, delivery_id, status, answer, error, took_ms, attempted_at)
					select attempt_id, :account, id, status, answer, error, took_ms, attempted_at
					  from result join settled using (id)
					"""
				.formatted(FINAL))
			.bind("attempts", columns.uuids((_) -> this.ids.generate()))
			.bind("ids", columns.uuids(CallResult::id))
			.bind("min", events.min())
			.bind("max", events.max())
			.bind("statuses", columns.integers(CallResult::status))
			.bind("answers", columns.texts(CallResult::answer))
			.bind("errors", columns.texts(CallResult::error))
			.bind("took", columns.integers((result) -> (int) result.took().toMillis()))
			.bind("retries", columns.longs((result) -> result.retryAfter().toMillis()))
			.bind("times", columns.array(CallResult::attemptedAt, Instant[]::new))
			.bind("delays", this.settings.delayMillis())
			.bind("endpoint", endpoint.endpointId())
			.bind("account", endpoint.accountId())
			.update(jdbc);
	}

	/** Switches an endpoint off, for a notice to its owner. */
	void switchOff(JdbcClient jdbc, UUID endpoint, String reason) {
		SqlStatement.of("""
				with disabled as (
				    update webhook_endpoint
				       set active = false, disabled_reason = :reason, disabled_at = now(), notice_due = true
				     where id = :endpoint and active returning id)
				update webhook_state set inactive_since = now() from disabled where endpoint_id = disabled.id
				""").bind("endpoint", endpoint).bind("reason", reason).update(jdbc);
	}

}
