package dev.mailroom.campaign;

import java.time.Instant;
import java.util.Collection;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.wire.RowColumns.on;
import static dev.mailroom.wire.RowColumns.value;

/** SQL of the fan-out of running campaigns. */
@Repository
class CampaignPageStore {

	private final DatabaseClient database;

	CampaignPageStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Running campaigns with contacts left, and those without whose mails are all
	 * settled.
	 */
	@AcrossAccounts("one loop serves the campaigns of all accounts")
	Flux<CampaignPages.Running> running() {
		return this.database.sql("""
				select id, account_id, fanned_out_at is not null as fanned_out from campaign
				 where status = 'running' and (paced_until is null or paced_until < now() + interval '5 seconds')
				   and (fanned_out_at is null or not exists (select from queue where queue.campaign_id = campaign.id))
				 order by started_at, id
				""").mapProperties(CampaignPages.Running.class).all();
	}

	/**
	 * Locks a running campaign with contacts left; empty if there is none or another
	 * transaction has locked it.
	 * @param maxQueued limit to which ready mails are counted
	 */
	Mono<FanOutState> lock(Scope scope, UUID id, int maxQueued) {
		return this.database
			.sql("""
					select id, domain_id, contact_book_id, started_at, cursor_at, cursor_id, pace,
					       coalesce(extract(epoch from paced_until - now()), 0)::float8 as paced_ahead,
					       exists (select from domain
					                where domain.id = campaign.domain_id and domain.account_id = :account
					                  and domain.status in ('verified', 'temporary_failure')) as domain_verified,
					       (select count(*) from (
					           select from queue where queue.campaign_id = :id and ready limit :max_queued) as ready) as queued
					  from campaign
					 where id = :id and account_id = :account and status = 'running' and fanned_out_at is null
					   for update of campaign skip locked
					""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("max_queued", maxQueued)
			.map(CampaignPageStore::state)
			.one();
	}

	/** Moves the cursor behind a contact. */
	Mono<Void> advance(Scope scope, UUID campaign, RecipientStore.Candidate last, double aheadSeconds) {
		return this.database.sql("""
				update campaign set cursor_at = :at, cursor_id = :contact,
				       paced_until = case when pace is not null then now() + :ahead * interval '1 second' end
				 where id = :id and account_id = :account
				""")
			.bind("id", campaign)
			.bind("account", scope.account())
			.bind("at", last.createdAt())
			.bind("contact", last.id())
			.bind("ahead", aheadSeconds)
			.then();
	}

	/** Records that all contacts were handled. */
	Mono<Void> complete(Scope scope, UUID campaign) {
		return this.database.sql("update campaign set fanned_out_at = now() where id = :id and account_id = :account")
			.bind("id", campaign)
			.bind("account", scope.account())
			.then();
	}

	/** Ends a campaign all of whose mails are settled; empty if it has others. */
	Mono<UUID> finish(Scope scope, UUID campaign, Instant now) {
		return this.database.sql("""
				update campaign set status = 'sent', updated_at = :now
				 where id = :id and account_id = :account and status = 'running' and fanned_out_at is not null
				   and not exists (select from queue where queue.campaign_id = :id)
				returning id
				""").bind("id", campaign).bind("account", scope.account()).bind("now", now).mapValue(UUID.class).one();
	}

	Mono<Void> notifyDispatcher(Scope scope) {
		return this.database.sql("select pg_notify('mailroom_due', '') where :account::uuid is not null")
			.bind("account", scope.account())
			.then();
	}

	@AcrossAccounts("workers render mails of all accounts")
	Flux<CampaignContents.CampaignContent> contents(Collection<UUID> campaigns) {
		return this.database.sql("""
				select id as campaign_id, subject, html_content as html, text_content as text from campaign
				 where id = any(:ids) and started_at is not null
				""")
			.bind("ids", campaigns.toArray(UUID[]::new))
			.mapProperties(CampaignContents.CampaignContent.class)
			.all();
	}

	private static FanOutState state(Readable row) {
		return new FanOutState(value(row, "id", UUID.class), value(row, "contact_book_id", UUID.class),
				value(row, "started_at", Instant.class), row.get("cursor_at", Instant.class),
				row.get("cursor_id", UUID.class), row.get("pace", Integer.class),
				value(row, "paced_ahead", Double.class), on(row, "domain_verified"), value(row, "queued", Long.class));
	}

	/**
	 * A locked campaign.
	 *
	 * @param pace mails per minute; null without a limit
	 * @param pacedAhead seconds until its last mail is due
	 * @param queued number of its mails that are ready to be sent, up to a limit
	 */
	record FanOutState(UUID id, UUID bookId, Instant startedAt, @Nullable Instant cursorAt, @Nullable UUID cursorId,
			@Nullable Integer pace, double pacedAhead, boolean domainVerified, long queued) {
	}

}
