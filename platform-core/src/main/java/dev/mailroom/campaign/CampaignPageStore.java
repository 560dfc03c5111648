package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.mail.queue.Transitions;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the fan-out of running campaigns. */
@Repository
class CampaignPageStore {

	private static final String INSERT = """
			with target as materialized (
			    select * from unnest(:contacts::uuid[], :ids::uuid[], :addresses::text[], :subjects::text[], :merges::text[])
			           with ordinality as target(contact_id, id, recipient, subject, merge, number)),
			fresh as (
			    insert into campaign_recipient (campaign_id, contact_id, account_id, email_id, merge)
			    select :campaign, contact_id, :account, id, merge::jsonb from target
			    on conflict (campaign_id, contact_id) do nothing
			    returning email_id),
			mail as materialized (
			    select target.id, contact_id, recipient, subject, lower(substring(recipient from '[^@]*$')) as destination,
			           now() + (:ahead + (row_number() over (order by number) - 1) * :spacing) * interval '1 second' as due_at
			      from target join fresh on fresh.email_id = target.id order by number),
			emails as (
			    insert into email (id, account_id, domain_id, sender, from_email, to_emails, reply_to, subject, stream,
			                       last_event, open_tracking, click_tracking, created_at, campaign_id)
			    select mail.id, :account, campaign.domain_id, campaign.sender, campaign.from_email, array[mail.recipient],
			           campaign.reply_to, mail.subject, 'campaign', 'queued', domain.open_tracking, domain.click_tracking,
			           :now, :campaign
			      from campaign left join domain on domain.id = campaign.domain_id and domain.account_id = :account
			     cross join mail
			     where campaign.id = :campaign and campaign.account_id = :account),
			deliveries as (
			    insert into delivery (id, account_id, email_id, position, recipient, contact_id, stream, status, created_at)
			    select id, :account, id, 0, recipient, contact_id, 'campaign', 'pending', :now from mail)
			%s
			"""
		.formatted(Transitions.enqueue("""
				(select id, :account::uuid as account_id, id as email_id, recipient, destination, contact_id,
				               true as campaign, :campaign::uuid as campaign_id, due_at from mail) as recipients"""));

	private final DatabaseClient database;

	private final JsonMapper json;

	CampaignPageStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/**
	 * Running campaigns with contacts left, and those without whose mails are all
	 * settled. A campaign whose selected contacts wait for the next day of its domain's
	 * warm-up is left out.
	 */
	@AcrossAccounts("one loop serves the campaigns of all accounts")
	Flux<CampaignPages.Running> running() {
		return this.database.sql("""
				select id, account_id, fanned_out_at is not null as fanned_out from campaign
				 where status = 'running' and (paced_until is null or paced_until < now() + interval '5 seconds')
				   and (fanned_out_at is null or not exists (select from queue where queue.campaign_id = campaign.id))
				   and not (selected_at is not null
				            and exists (select from warmup_today
				                         where warmup_today.domain_id = campaign.domain_id
				                           and warmup_today.account_id = campaign.account_id
				                           and warmup_used >= warmup_allowances[warmup_day])
				            and exists (select from campaign_audience where campaign_id = campaign.id))
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
					select id, domain_id, contact_book_id, cursor_at, cursor_id, selected, handled,
					       selected_at is not null as complete, pace,
					       coalesce(extract(epoch from paced_until - now()), 0)::float8 as paced_ahead,
					       exists (select from domain
					                where domain.id = campaign.domain_id and domain.account_id = :account
					                  and domain.status in ('verified', 'temporary_failure')) as domain_verified,
					       exists (select from warmup_today
					                where warmup_today.domain_id = campaign.domain_id
					                  and warmup_today.account_id = :account) as warming,
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

	/**
	 * Inserts the recipients of a page with their mails, except contacts that the
	 * campaign has handled before.
	 * @param aheadSeconds time until the first mail is due; negative if it is overdue
	 * @param spacingSeconds time between the due times of two mails
	 * @return number of mails
	 */
	Mono<Long> insert(Scope scope, UUID campaign, List<Recipient> recipients, double aheadSeconds,
			double spacingSeconds, Instant now) {
		return this.database.sql(INSERT)
			.bind("account", scope.account())
			.bind("campaign", campaign)
			.bind("now", now)
			.bind("ahead", aheadSeconds)
			.bind("spacing", spacingSeconds)
			.bind("contacts", column(recipients, Recipient::contactId, UUID[]::new))
			.bind("ids", column(recipients, Recipient::emailId, UUID[]::new))
			.bind("addresses", column(recipients, Recipient::address, String[]::new))
			.bind("subjects", column(recipients, Recipient::subject, String[]::new))
			.bind("merges", column(recipients, (recipient) -> merge(recipient.merge()), String[]::new))
			.fetch()
			.rowsUpdated();
	}

	Mono<Void> notifyDispatcher(Scope scope) {
		return this.database.sql("select pg_notify('mailroom_due', '') where :account::uuid is not null")
			.bind("account", scope.account())
			.then();
	}

	private @Nullable String merge(Map<String, String> merge) {
		return merge.isEmpty() ? null : this.json.writeValueAsString(merge);
	}

	private static <T> @Nullable T[] column(List<Recipient> rows, Function<Recipient, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

	private static FanOutState state(Readable row) {
		return new FanOutState(value(row, "id", UUID.class), value(row, "domain_id", UUID.class),
				value(row, "contact_book_id", UUID.class), row.get("cursor_at", Instant.class),
				row.get("cursor_id", UUID.class), value(row, "selected", Long.class), value(row, "handled", Long.class),
				on(row, "complete"), row.get("pace", Integer.class), value(row, "paced_ahead", Double.class),
				on(row, "domain_verified"), on(row, "warming"), value(row, "queued", Long.class));
	}

	/**
	 * A locked campaign.
	 *
	 * @param selected highest number of a selected contact
	 * @param handled highest number of a handled contact
	 * @param complete whether all contacts were selected
	 * @param pace mails per minute; null without a limit
	 * @param pacedAhead seconds until its last mail is due
	 * @param warming whether its domain warms up
	 * @param queued number of its mails that are ready to be sent, up to a limit
	 */
	record FanOutState(UUID id, UUID domainId, UUID bookId, @Nullable Instant cursorAt, @Nullable UUID cursorId,
			long selected, long handled, boolean complete, @Nullable Integer pace, double pacedAhead,
			boolean domainVerified, boolean warming, long queued) {

		/** Time for which a campaign with a pace has mails queued. */
		private static final double PACE_AHEAD_SECONDS = 10;

		/**
		 * Number of contacts that may be handled now.
		 * @param maxQueued ready mails above which the campaign waits
		 */
		int limit(int maxContacts, int maxQueued) {
			if (this.queued > maxQueued) {
				return 0;
			}
			@Nullable Integer mailsPerMinute = this.pace;
			if (mailsPerMinute == null) {
				return maxContacts;
			}
			return (this.pacedAhead > PACE_AHEAD_SECONDS / 2) ? 0
					: (int) Math.clamp(Math.ceil(mailsPerMinute * PACE_AHEAD_SECONDS / 60), 1, maxContacts);
		}

	}

	/**
	 * A contact that the campaign handles.
	 *
	 * @param emailId id of its mail; null if it is skipped
	 * @param address address of the mail; null if it is skipped
	 * @param merge values of the placeholders
	 */
	record Recipient(UUID contactId, @Nullable UUID emailId, @Nullable String address, @Nullable String subject,
			Map<String, String> merge) {
	}

}
