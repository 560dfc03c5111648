package dev.mailroom.campaign;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * Every move of a campaign from one state to another. Each is one update that says where
 * the campaign must stand: of many at once exactly one finds it there.
 */
@Repository
class TransitionStore {

	private final DatabaseClient database;

	TransitionStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Pauses a running campaign.
	 * @param reason null where a person does
	 */
	Mono<Long> pause(Scope scope, UUID id, Status from, @Nullable String reason, Instant now) {
		return text(this.database.sql("""
				update campaign set status = 'paused', paused_reason = :reason, updated_at = :now
				 where id = :id and account_id = :account and status = :from
				"""), "reason", reason).bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.wire())
			.bind("now", now)
			.fetch()
			.rowsUpdated();
	}

	/** Pauses all of an account's running campaigns. */
	Flux<UUID> pauseRunning(Scope scope, String reason, Instant now) {
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

	/**
	 * Until the transaction ends, nobody pauses the account: what begins to run meanwhile
	 * is seen by whoever does.
	 */
	Mono<Void> holdAccount(Scope scope) {
		return this.database.sql("select id from account where id = :account for share")
			.bind("account", scope.account())
			.then();
	}

	/** Has a draft or a paused campaign wait for its time. */
	Mono<Long> schedule(Scope scope, UUID id, Instant at, Instant now) {
		return this.database.sql("""
				update campaign set status = 'scheduled', send_at = :at, paused_reason = null, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from)
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", CampaignAction.SCHEDULE.from())
			.bind("at", at)
			.bind("now", now)
			.fetch()
			.rowsUpdated();
	}

	/** Makes a draft of a scheduled campaign again. */
	Mono<Long> unschedule(Scope scope, UUID id, Instant now) {
		return this.database.sql("""
				update campaign set status = 'draft', send_at = null, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from)
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", CampaignAction.UNSCHEDULE.from())
			.bind("now", now)
			.fetch()
			.rowsUpdated();
	}

	/**
	 * Runs a campaign. The first time, what it says and how many it goes to are fixed:
	 * its row is held, or what is read here could be of a moment before.
	 */
	Mono<Long> run(Scope scope, UUID id, Status from, UUID domainId, Instant now) {
		return this.database.sql("""
				update campaign
				   set status = 'running', domain_id = :domain, contact_book_name = seen.contact_book_name,
				       html_content = seen.html_content, text_content = seen.text_content, paused_reason = null,
				       started_at = coalesce(campaign.started_at, :now), updated_at = :now,
				       total_contacts = case when campaign.started_at is not null then campaign.total_contacts else (
				           select count(*) from contact
				            where contact.account_id = :account and contact.contact_book_id = campaign.contact_book_id
				              and contact.subscribed) end
				  from campaign_seen seen
				 where seen.id = campaign.id and seen.account_id = :account
				   and campaign.id = :id and campaign.account_id = :account and campaign.status = :from
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.wire())
			.bind("domain", domainId)
			.bind("now", now)
			.fetch()
			.rowsUpdated();
	}

	/** Whether anybody in the campaign's book wants its mail. */
	Mono<Boolean> hasContacts(Scope scope, UUID bookId) {
		return this.database.sql("""
				select exists (select from contact
				                where account_id = :account and contact_book_id = :book and subscribed)
				""").bind("account", scope.account()).bind("book", bookId).mapValue(Boolean.class).one();
	}

	/**
	 * Campaigns whose time has come, earliest first, and whether they can run. They are
	 * held, and so are their accounts; those that somebody else holds come later.
	 */
	@AcrossAccounts("whose time has come is asked once for everybody")
	Flux<DueCampaign> due(int most) {
		return this.database.sql("""
				select campaign.id, campaign.account_id, campaign.domain_id,
				       (extract(epoch from now() - campaign.send_at) * 1000)::bigint as late,
				       campaign.started_at is not null as started,
				       account.email_verified_at is not null as verified, account.paused_reason as account_paused,
				       exists (select from domain
				                where domain.id = campaign.domain_id and domain.account_id = campaign.account_id
				                  and domain.status in ('verified', 'temporary_failure')) as sendable,
				       exists (select from contact
				                where contact.account_id = campaign.account_id
				                  and contact.contact_book_id = campaign.contact_book_id
				                  and contact.subscribed) as contacts
				  from campaign join account on account.id = campaign.account_id
				 where campaign.status = 'scheduled' and campaign.send_at <= now()
				 order by campaign.send_at limit :most
				   for update of campaign skip locked for share of account skip locked
				""").bind("most", most).mapProperties(DueCampaign.class).all();
	}

	private static DatabaseClient.GenericExecuteSpec text(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable String text) {
		return (text != null) ? sql.bind(name, text) : sql.bindNull(name, String.class);
	}

}
