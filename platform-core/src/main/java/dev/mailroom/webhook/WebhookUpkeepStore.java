package dev.mailroom.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the upkeep of webhook endpoints and calls. */
@Repository
@AcrossAccounts("jobs serve all accounts")
class WebhookUpkeepStore {

	boolean anyNewSubscription(JdbcClient jdbc) {
		return jdbc.sql("select exists (select from webhook_state where subscribed_at is not null)")
			.query(Boolean.class)
			.single();
	}

	/**
	 * Stores the id of the current transaction with new subscriptions. All transactions
	 * that cannot read the subscription have a lower id.
	 */
	void markSubscribed(JdbcClient jdbc) {
		SqlStatement.of("""
				update webhook_state set caught_up_after = pg_current_xact_id()
				 where subscribed_at is not null and caught_up_after is null
				""").update(jdbc);
	}

	/**
	 * Queues the events of transactions that could not read a subscription, because it
	 * was committed while they were open, once these transactions have ended.
	 * @return number of calls queued
	 */
	long catchUp(JdbcClient jdbc) {
		return SqlStatement
			.of("""
					with ended as (
					    update webhook_state set subscribed_at = null, caught_up_after = null
					      from (select endpoint_id, subscribed_at as subscribed, caught_up_after as following from webhook_state
					             where subscribed_at is not null
					               and caught_up_after < pg_snapshot_xmin(pg_current_snapshot()) for update) as state
					     where webhook_state.endpoint_id = state.endpoint_id
					    returning webhook_state.endpoint_id, state.subscribed, state.following)
					insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at)
					select %s, endpoint.account_id, endpoint.id, event.id, event.kind, now(), now()
					  from ended join webhook_endpoint as endpoint on endpoint.id = ended.endpoint_id and endpoint.active
					  join event on event.account_id = endpoint.account_id
					   and event.transaction_id >= pg_snapshot_xmin(ended.subscribed)
					   and event.transaction_id < ended.following
					   and not pg_visible_in_snapshot(event.transaction_id, ended.subscribed)
					   and event.kind = any(endpoint.events) and event.kind <> 'webhook.test'
					on conflict (account_id, endpoint_id, event_id) do nothing
					"""
				.formatted(WebhookDeliveryStore.NEW_ID))
			.update(jdbc);
	}

	/** Gives up calls to endpoints that were switched off for an hour. */
	long giveUp(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				update webhook_delivery set status = 'failed', settled_at = now()
				 where (id, event_id) in (
				    select call.id, call.event_id from webhook_state as state
				     cross join lateral (
				         select id, event_id from webhook_delivery
				          where endpoint_id = state.endpoint_id and status = 'pending' and not requested
				          order by due_at, id limit :limit) as call
				     where state.inactive_since < now() - interval '1 hour' limit :limit)
				""").bind("limit", limit).update(jdbc);
	}

	/** Removes calls to deleted endpoints, with their attempts. */
	long removeCalls(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				with old as materialized (
				    select call.id, call.event_id from webhook_state as state
				     cross join lateral (
				         select id, event_id from webhook_delivery where endpoint_id = state.endpoint_id
				          order by created_at, id limit :limit) as call
				     where state.deleted_at is not null limit :limit),
				attempts as (
				    delete from webhook_attempt using old where webhook_attempt.delivery_id = old.id)
				delete from webhook_delivery using old
				 where webhook_delivery.id = old.id and webhook_delivery.event_id = old.event_id
				""").bind("limit", limit).update(jdbc);
	}

	/**
	 * Removes deleted endpoints without calls. A transaction that was open when the
	 * endpoint was deleted has ended after an hour.
	 */
	long removeStates(JdbcClient jdbc, int limit) {
		return SqlStatement
			.of("""
					with gone as materialized (
					    select endpoint_id from webhook_state as state
					     where deleted_at < now() - interval '1 hour'
					       and not exists (select from webhook_delivery as call where call.endpoint_id = state.endpoint_id)
					     limit :limit),
					counts as (
					    delete from webhook_delivery_count using gone where webhook_delivery_count.endpoint_id = gone.endpoint_id)
					delete from webhook_state using gone where webhook_state.endpoint_id = gone.endpoint_id
					""")
			.bind("limit", limit)
			.update(jdbc);
	}

	/** Endpoints that were switched off and whose owners were not notified yet. */
	List<WebhookUpkeep.SwitchedOff> switchedOff(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				select endpoint.id, endpoint.account_id, endpoint.url,
				       endpoint.disabled_reason as reason, endpoint.disabled_at
				  from webhook_endpoint as endpoint
				 where endpoint.notice_due order by endpoint.id limit :limit
				""")
			.bind("limit", limit)
			.list(jdbc,
					(row) -> new WebhookUpkeep.SwitchedOff(value(row, "id", UUID.class),
							value(row, "account_id", UUID.class), text(row, "url"), text(row, "reason"),
							value(row, "disabled_at", Instant.class)));
	}

	void noticeSent(JdbcClient jdbc, UUID endpoint) {
		SqlStatement.of("update webhook_endpoint set notice_due = false where id = :id")
			.bind("id", endpoint)
			.update(jdbc);
	}

}
