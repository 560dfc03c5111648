package dev.mailroom.campaign;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.mail.queue.Transitions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of campaigns that start, run, or are paused by the system. */
@Repository
class CampaignRunStore {

	/** Waiting mails that follow a change of the status in one transaction. */
	static final int MAX_MOVED = 5_000;

	private final DatabaseClient database;

	private final Transitions transitions;

	CampaignRunStore(DatabaseClient database, Transitions transitions) {
		this.database = database;
		this.transitions = transitions;
	}

	/**
	 * Starts or resumes a campaign; empty if its status is no longer {@code from}. The
	 * first start fixes its content and its contacts: those that the statement's snapshot
	 * contains. The caller has locked the campaign; without the lock the view could show
	 * an older version of it.
	 */
	Mono<UUID> start(Scope scope, UUID id, CampaignStatus from, UUID domainId, Instant now) {
		return this.database.sql("""
				update campaign
				   set status = 'running', domain_id = :domain, contact_book_name = seen.contact_book_name,
				       html_content = seen.html_content, text_content = seen.text_content, paused_reason = null,
				       started_at = coalesce(campaign.started_at, :now), updated_at = :now,
				       start_snapshot = case when campaign.started_at is null then pg_current_snapshot()
				                             else campaign.start_snapshot end,
				       total_contacts = case when campaign.started_at is not null then campaign.total_contacts else (
				           select count(*) from contact
				            where contact.account_id = :account and contact.contact_book_id = campaign.contact_book_id
				              and contact.subscribed
				              and contact_matches(campaign.filter, contact.properties, contact.created_at)) end
				  from campaign_seen seen
				 where seen.id = campaign.id and seen.account_id = :account
				   and campaign.id = :id and campaign.account_id = :account and campaign.status = :from
				returning campaign.id
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.contractName())
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
	 * Holds queued mails of a campaign that does not run any more, and notes whether
	 * others may be left. The caller has changed its status in the same transaction.
	 * @return number of mails held; at least the limit if others may be left
	 */
	Mono<Long> hold(Scope scope, UUID id) {
		return this.transitions.holdCampaign(scope, id, MAX_MOVED).delayUntil((moved) -> followUp(scope, id, moved));
	}

	/**
	 * Ends the hold of mails of a campaign, up to a limit, and notes whether others may
	 * be left. The caller has locked the campaign.
	 * @return number of mails that are not held any more; the limit if others may be left
	 */
	Mono<Long> release(Scope scope, UUID id) {
		return this.transitions.releaseCampaign(scope, id, MAX_MOVED).delayUntil((moved) -> followUp(scope, id, moved));
	}

	private Mono<Void> followUp(Scope scope, UUID id, long moved) {
		return (moved < MAX_MOVED) ? Mono.empty() : this.database.sql("""
				insert into campaign_follow_up (campaign_id, account_id) values (:id, :account)
				on conflict (campaign_id) do nothing
				""").bind("id", id).bind("account", scope.account()).then();
	}

	/** Campaigns with mails that do not follow the last change of the status yet. */
	@AcrossAccounts("one job follows the campaigns of all accounts")
	Flux<DueCampaign.Key> followUps() {
		return this.database.sql("select campaign_id as id, account_id from campaign_follow_up order by campaign_id")
			.mapProperties(DueCampaign.Key.class)
			.all();
	}

	/**
	 * Locks a campaign against a change of the status.
	 * @return whether its mails are to be held; they are not if it runs or was deleted
	 */
	Mono<Boolean> lockPaused(Scope scope, UUID id) {
		return this.database
			.sql("select status <> 'running' from campaign where id = :id and account_id = :account for share")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(Boolean.class)
			.one()
			.defaultIfEmpty(false);
	}

	Mono<Void> endFollowUp(Scope scope, UUID id) {
		return this.database.sql("delete from campaign_follow_up where campaign_id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.then();
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
	Mono<UUID> pause(Scope scope, UUID id, CampaignStatus from, String reason, Instant now) {
		return this.database.sql("""
				update campaign set status = 'paused', paused_reason = :reason, updated_at = :now
				 where id = :id and account_id = :account and status = :from returning id
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.contractName())
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
