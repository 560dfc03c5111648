package dev.mailroom.campaign;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of campaigns that start, run, or are paused by the system. */
@Repository
class CampaignRunStore {

	private final DatabaseClient database;

	CampaignRunStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Starts or resumes a campaign; empty if its status is no longer {@code from}. The
	 * first start fixes its content and its number of contacts. The caller has locked the
	 * campaign; without the lock the view could show an older version of it.
	 */
	Mono<UUID> start(Scope scope, UUID id, Status from, UUID domainId, Instant now) {
		return this.database.sql("""
				update campaign
				   set status = 'running', domain_id = :domain, contact_book_name = seen.contact_book_name,
				       html_content = seen.html_content, text_content = seen.text_content, paused_reason = null,
				       started_at = coalesce(campaign.started_at, :now), updated_at = :now,
				       total_contacts = case when campaign.started_at is not null then campaign.total_contacts else (
				           select count(*) from contact
				            where contact.account_id = :account and contact.contact_book_id = campaign.contact_book_id
				              and contact.subscribed and contact.created_at < :now
				              and contact_matches(campaign.filter, contact.properties, contact.created_at)) end
				  from campaign_seen seen
				 where seen.id = campaign.id and seen.account_id = :account
				   and campaign.id = :id and campaign.account_id = :account and campaign.status = :from
				returning campaign.id
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.wire())
			.bind("domain", domainId)
			.bind("now", now)
			.mapValue(UUID.class)
			.one();
	}

	/** Whether a campaign has a subscribed contact. */
	Mono<Boolean> hasSubscribers(Scope scope, UUID id) {
		return this.database.sql("""
				select exists (select from contact join campaign on campaign.contact_book_id = contact.contact_book_id
				                where campaign.id = :id and campaign.account_id = :account
				                  and contact.account_id = :account and contact.subscribed
				                  and contact_matches(campaign.filter, contact.properties, contact.created_at))
				""").bind("account", scope.account()).bind("id", id).mapValue(Boolean.class).one();
	}

	/**
	 * Holds the queued mails of a campaign that does not run any more. The caller has
	 * changed its status in the same transaction. Mails that are being handed over are
	 * left alone; those that become due later are held by the fence.
	 */
	Mono<Void> hold(Scope scope, UUID id) {
		return this.database.sql("""
				with locked as (
				    select queue.id, lease.epoch from queue left join lease on lease.id = queue.id
				     where queue.campaign_id = :id and queue.account_id = :account and queue.ready
				       and queue.data_until is null
				     order by queue.id for update of queue),
				returned as (
				    delete from lease using locked where lease.id = locked.id)
				update queue set ready = false, due_at = timestamptz '9999-01-01 00:00:00Z',
				       epoch = coalesce(locked.epoch, queue.epoch)
				  from locked where queue.id = locked.id
				""").bind("id", id).bind("account", scope.account()).then();
	}

	/**
	 * Makes the held mails of a campaign due. The caller has locked the campaign, so that
	 * no mail is held afterwards.
	 */
	Mono<Void> release(Scope scope, UUID id) {
		return this.database.sql("""
				update queue set ready = true, due_at = now()
				 where account_id = :account and id = any(array(
				     select id from queue
				      where campaign_id = :id and account_id = :account and not ready
				        and due_at = timestamptz '9999-01-01 00:00:00Z'
				      order by id for update))
				""").bind("id", id).bind("account", scope.account()).then();
	}

	/**
	 * Locks the account row against a pause until the transaction ends. A pause then sees
	 * every campaign that was started before it.
	 */
	Mono<Void> lockAccount(Scope scope) {
		return this.database.sql("select id from account where id = :account for share")
			.bind("account", scope.account())
			.then();
	}

	/** Pauses all running campaigns of an account. */
	Flux<UUID> pauseAll(Scope scope, String reason, Instant now) {
		return this.database.sql("""
				update campaign set status = 'paused', paused_reason = :reason, updated_at = :now
				 where account_id = :account and status = 'running' returning id
				""")
			.bind("reason", reason)
			.bind("account", scope.account())
			.bind("now", now)
			.mapValue(UUID.class)
			.all();
	}

	/** Pauses a campaign; empty if its status is no longer {@code from}. */
	Mono<UUID> pause(Scope scope, UUID id, Status from, String reason, Instant now) {
		return this.database.sql("""
				update campaign set status = 'paused', paused_reason = :reason, updated_at = :now
				 where id = :id and account_id = :account and status = :from returning id
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.wire())
			.bind("reason", reason)
			.bind("now", now)
			.mapValue(UUID.class)
			.one();
	}

	/** Scheduled campaigns whose time has come, earliest first. Locks nothing. */
	@AcrossAccounts("one poll finds the due campaigns of all accounts")
	Flux<DueCampaign.Key> due(int limit) {
		return this.database.sql("""
				select id, account_id from campaign
				 where status = 'scheduled' and send_at <= now() order by send_at limit :limit
				""").bind("limit", limit).mapProperties(DueCampaign.Key.class).all();
	}

	/**
	 * Locks a due campaign and its account, and reads what decides whether it may start.
	 * Empty if it is no longer due, or if another transaction holds one of the locks.
	 */
	Mono<DueCampaign> lockDue(Scope scope, UUID id) {
		return this.database.sql("""
				select campaign.id, campaign.account_id, campaign.domain_id,
				       (extract(epoch from now() - campaign.send_at) * 1000)::bigint as lateness_millis,
				       campaign.started_at is not null as started,
				       account.email_verified_at is not null as account_verified,
				       account.paused_reason as account_paused_reason,
				       exists (select from domain
				                where domain.id = campaign.domain_id and domain.account_id = :account
				                  and domain.status in ('verified', 'temporary_failure')) as domain_verified,
				       exists (select from contact
				                where contact.account_id = :account
				                  and contact.contact_book_id = campaign.contact_book_id and contact.subscribed
				                  and contact_matches(campaign.filter, contact.properties, contact.created_at))
				           as has_subscribers
				  from campaign join account on account.id = campaign.account_id
				 where campaign.id = :id and campaign.account_id = :account
				   and campaign.status = 'scheduled' and campaign.send_at <= now()
				   for update of campaign skip locked for share of account skip locked
				""").bind("id", id).bind("account", scope.account()).mapProperties(DueCampaign.class).one();
	}

	@AcrossAccounts("the campaigns of all accounts are monitored")
	Flux<CampaignRuns.Count> counts() {
		return this.database.sql("select status, count(*) as count from campaign group by status")
			.mapProperties(CampaignRuns.Count.class)
			.all();
	}

}
