package dev.mailroom.operator;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.account.AccountRows;
import dev.mailroom.mail.queue.Holds;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the state of the platform. */
@Repository
@AcrossAccounts("operators watch the whole platform")
class PlatformStore {

	private final DatabaseClient database;

	PlatformStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * The numbers of the platform.
	 * @param dispatcherLock key of the advisory lock that the active dispatcher holds
	 */
	Mono<PlatformState> state(long dispatcherLock) {
		return this.database
			.sql("""
					select (select count(*) from account where role = 'tenant') as accounts,
					       (select count(*) from account where paused_reason !~ :reserved) as paused_accounts,
					       (select count(*) from campaign where status = 'running') as running_campaigns,
					       (select count(*) from dead_letter where requeued_at is null) as dead_letters,
					       (select count(*) from webhook_delivery where status = 'pending' and due_at <= now())
					           as pending_calls,
					       (select coalesce(extract(epoch from now() - min(due_at)), 0)::bigint
					          from webhook_delivery join webhook_endpoint on webhook_endpoint.id = endpoint_id and active
					          join webhook_state using (endpoint_id)
					         where status = 'pending' and due_at <= now() and failures = 0) as oldest_call_seconds,
					       (select count(*) from domain where failing_since is not null) as failing_domains,
					       (select count(*) from dkim_key where active and created_at < now() - interval '180 days') as old_keys,
					       exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
					                  and database = (select oid from pg_database where datname = current_database())
					                  and (classid::bigint << 32) + objid::bigint = :lock) as dispatcher_active,
					       others.paused_at as others_paused_at, others.reason as others_paused_reason,
					       others.paused_by as others_paused_by, campaigns.paused_at as campaigns_paused_at,
					       campaigns.reason as campaigns_paused_reason, campaigns.paused_by as campaigns_paused_by
					  from (select) as platform
					  left join queue_pause as others on not others.campaign
					  left join queue_pause as campaigns on campaigns.campaign
					""")
			.bind("lock", dispatcherLock)
			.bind("reserved", AccountRows.reserved())
			.mapProperties(StateRow.class)
			.one()
			.map(StateRow::state);
	}

	Flux<PlatformState.QueuePart> queue() {
		return this.database
			.sql("""
					select case when data_until is null then 'queued' else 'in_data' end as phase,
					       case when queue.campaign then 'campaign' else 'transactional' end as stream, count(*) as count,
					       count(*) filter (where data_until is null and due) as due,
					       count(*) filter (where data_until is null and not due and attempt > 0) as retries,
					       count(*) filter (where data_until is null and not due and attempt = 0) as scheduled,
					       coalesce(extract(epoch from now() - min(due_at) filter (where data_until is null and due)), 0)::bigint
					           as oldest_seconds
					  from (select *, held is null and due_at <= now() and account_id not in (
					                  select id from account where paused_reason is not null) as due from queue) as queue
					 group by 1, 2 order by 1, 2
					""")
			.mapProperties(PlatformState.QueuePart.class)
			.all();
	}

	/**
	 * Endpoints with calls that were given up in the last 24 hours, or that wait after
	 * the last call failed; those with most of the former first. The time of the last
	 * call is that of its attempt; the row of an accepted call has it as well.
	 */
	Flux<PlatformState.FailingEndpoint> failingEndpoints(int limit) {
		return this.database
			.sql("""
					with counted as (
					    select endpoint_id, count(*) filter (where status = 'failed') as failed,
					           count(*) filter (where status = 'pending') as pending
					      from webhook_delivery
					     where status = 'pending' or status = 'failed' and settled_at > now() - interval '24 hours'
					     group by endpoint_id),
					failing as (
					    select endpoint.id, endpoint.account_id, endpoint.url, endpoint.active, endpoint.disabled_reason,
					           state.failing_since, failed, pending
					      from counted join webhook_endpoint endpoint on endpoint.id = counted.endpoint_id
					      join webhook_state state on state.endpoint_id = endpoint.id
					     where failed > 0 or state.failing_since is not null
					     order by failed desc, endpoint.id limit :limit)
					select failing.*, last.status as last_status, last.at as last_at
					  from failing left join lateral (
					    select last_status as status, settled_at as at from webhook_delivery
					     where endpoint_id = failing.id and created_at > now() - interval '4 days' and status = 'delivered'
					    union all
					    select attempt.status, attempted_at from webhook_delivery call
					      join webhook_attempt attempt on attempt.delivery_id = call.id
					     where endpoint_id = failing.id and created_at > now() - interval '4 days' and call.status <> 'delivered'
					     order by at desc limit 1) as last on true
					 order by failed desc, failing.id
					""")
			.bind("limit", limit)
			.mapProperties(PlatformState.FailingEndpoint.class)
			.all();
	}

	/**
	 * A row of the state.
	 *
	 * @param othersPausedAt when the stream of transactional mail was paused; null if it
	 * is not, as the other two are
	 * @param campaignsPausedAt when the stream of campaigns was paused; null if it is
	 * not, as the other two are
	 */
	record StateRow(long accounts, long pausedAccounts, long runningCampaigns, long deadLetters, long pendingCalls,
			long oldestCallSeconds, long failingDomains, long oldKeys, boolean dispatcherActive,
			@Nullable Instant othersPausedAt, @Nullable String othersPausedReason, @Nullable UUID othersPausedBy,
			@Nullable Instant campaignsPausedAt, @Nullable String campaignsPausedReason,
			@Nullable UUID campaignsPausedBy) {

		PlatformState state() {
			List<Holds.QueuePause> pauses = Stream
				.of(pause(false, this.othersPausedReason, this.othersPausedBy, this.othersPausedAt),
						pause(true, this.campaignsPausedReason, this.campaignsPausedBy, this.campaignsPausedAt))
				.flatMap(Optional::stream)
				.toList();
			Optional<Holds.QueuePause> whole = pauses.stream()
				.max(Comparator.comparing(Holds.QueuePause::pausedAt))
				.filter((_) -> pauses.size() == 2);
			return new PlatformState(this.accounts, this.pausedAccounts, this.runningCampaigns, this.deadLetters,
					this.pendingCalls, this.oldestCallSeconds, this.failingDomains, this.oldKeys, this.dispatcherActive,
					whole.map(Holds.QueuePause::pausedAt).orElse(null),
					whole.map(Holds.QueuePause::reason).orElse(null),
					whole.map(Holds.QueuePause::pausedBy).orElse(null), pauses);
		}

		private static Optional<Holds.QueuePause> pause(boolean campaign, @Nullable String reason, @Nullable UUID by,
				@Nullable Instant at) {
			return (reason != null && by != null && at != null)
					? Optional.of(new Holds.QueuePause(campaign, reason, by, at)) : Optional.empty();
		}

	}

}
