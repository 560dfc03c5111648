package dev.mailroom.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.mail.queue.Transitions;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * SQL of campaigns that start, run and end, for the worker: the status first, then the
 * selection of contacts and their mails.
 */
@Repository
class CampaignFanOutStore {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	/** Precedes all contacts. */
	private static final Instant START = Instant.EPOCH;

	private static final UUID START_ID = new UUID(0, 0);

	private final JsonMapper json;

	CampaignFanOutStore(JsonMapper json) {
		this.json = json;
	}

	@AcrossAccounts("one loop serves the campaigns of all accounts")
	boolean anyRunning(JdbcClient jdbc) {
		return is(jdbc, SqlStatement.of("select exists (select from campaign where status = 'running') as it"));
	}

	@AcrossAccounts("one loop serves the campaigns of all accounts")
	boolean anyDueWithin(JdbcClient jdbc, Duration time) {
		return is(jdbc, SqlStatement.of("""
				select exists (select from campaign
				                where status = 'scheduled' and send_at < now() + :seconds * interval '1 second') as it
				""").bind("seconds", time.toSeconds()));
	}

	/** Scheduled campaigns whose time has come, earliest first. Locks nothing. */
	@AcrossAccounts("one poll finds the due campaigns of all accounts")
	List<DueCampaign.Key> due(JdbcClient jdbc, int limit) {
		return SqlStatement.of("""
				select id, account_id from campaign
				 where status = 'scheduled' and send_at <= now() order by send_at limit :limit
				""").bind("limit", limit).list(jdbc, CampaignFanOutStore::key);
	}

	/**
	 * Locks a due campaign and its account, and reads what decides whether it may start.
	 * Empty if it is no longer due, or if another transaction holds one of the locks.
	 */
	Optional<DueCampaign> lockDue(JdbcClient jdbc, Scope scope, UUID id) {
		return SqlStatement.of("""
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
				                  and contact_matches(campaign.filter, contact))
				           as has_subscribers
				  from campaign join account on account.id = campaign.account_id
				 where campaign.id = :id and campaign.account_id = :account
				   and campaign.status = 'scheduled' and campaign.send_at <= now()
				   and coalesce(account.paused_reason, '') !~ '^(being )?moved to the cell [a-z0-9]+$'
				   for update of campaign skip locked for share of account skip locked
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.list(jdbc, (row) -> new DueCampaign(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
					value(row, "domain_id", UUID.class), value(row, "lateness_millis", Long.class), on(row, "started"),
					on(row, "account_verified"), row.get("account_paused_reason", String.class),
					on(row, "domain_verified"), on(row, "has_subscribers")))
			.stream()
			.findFirst();
	}

	/** Pauses a campaign; false if its status is no longer {@code from}. */
	boolean pause(JdbcClient jdbc, Scope scope, UUID id, CampaignStatus from, String reason, Instant now) {
		return SqlStatement.of("""
				update campaign set status = 'paused', paused_reason = :reason, updated_at = :now
				 where id = :id and account_id = :account and status = :from
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.contractName())
			.bind("reason", reason)
			.bind("now", now)
			.update(jdbc) > 0;
	}

	/** Ends a campaign all of whose mails are settled; false if it has others. */
	boolean finish(JdbcClient jdbc, Scope scope, UUID id, Instant now) {
		return SqlStatement.of("""
				update campaign set status = 'sent', updated_at = :now
				 where id = :id and account_id = :account and status = 'running' and fanned_out_at is not null
				   and not exists (select from queue where queue.campaign_id = :id)
				""").bind("id", id).bind("account", scope.account()).bind("now", now).update(jdbc) > 0;
	}

	/** Campaigns with mails that do not follow the last change of the status yet. */
	@AcrossAccounts("one job follows the campaigns of all accounts")
	List<DueCampaign.Key> followUps(JdbcClient jdbc) {
		return SqlStatement.of("select campaign_id as id, account_id from campaign_follow_up order by campaign_id")
			.list(jdbc, CampaignFanOutStore::key);
	}

	void endFollowUp(JdbcClient jdbc, Scope scope, UUID id) {
		SqlStatement.of("delete from campaign_follow_up where campaign_id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.update(jdbc);
	}

	/**
	 * Running campaigns with contacts left, and those without whose mails are all
	 * settled. A campaign whose selected contacts wait for the next day of its domain's
	 * warm-up is left out.
	 */
	@AcrossAccounts("one loop serves the campaigns of all accounts")
	List<CampaignFanOut.Running> running(JdbcClient jdbc) {
		return SqlStatement.of("""
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
				""")
			.list(jdbc, (row) -> new CampaignFanOut.Running(value(row, "id", UUID.class),
					value(row, "account_id", UUID.class), on(row, "fanned_out")));
	}

	/**
	 * Locks a running campaign with contacts left; empty if there is none or another
	 * transaction has locked it.
	 * @param maxQueued limit to which ready mails are counted
	 */
	Optional<FanOutState> lock(JdbcClient jdbc, Scope scope, UUID id, int maxQueued) {
		return SqlStatement
			.of("""
					select id, domain_id, contact_book_id, cursor_at, cursor_id, selected, handled,
					       selected_at is not null as complete, pace,
					       coalesce(extract(epoch from paced_until - now()), 0)::float8 as paced_ahead, now() as now,
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
			.list(jdbc, FanOutState::of)
			.stream()
			.findFirst();
	}

	/** The placeholders of a campaign that has started. */
	Merging merging(JdbcClient jdbc, Scope scope, UUID id) {
		return SqlStatement
			.of("select subject, html_content, text_content from campaign where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.list(jdbc,
					(row) -> new Merging(text(row, "subject"), row.get("html_content", String.class),
							row.get("text_content", String.class)))
			.getFirst();
	}

	private static final String SELECT = """
			with page as materialized (
			    select contact.id, contact.created_at,
			           row_number() over (order by contact.created_at, contact.id) as position,
			           case when campaign.start_snapshot is null then contact.created_at < campaign.started_at
			                else contact.added_by is null
			                     or pg_visible_in_snapshot(contact.added_by, campaign.start_snapshot) end
			               and (campaign.filter is null
			                    or contact_matches(campaign.filter, contact)) as matches
			      from campaign join contact on contact.contact_book_id = campaign.contact_book_id
			     where campaign.id = :id and campaign.account_id = :account
			       and contact.account_id = :account and contact.contact_book_id = :book
			       and (contact.created_at, contact.id) > (:after, :after_id)
			     order by contact.created_at, contact.id limit :limit),
			chosen as (
			    insert into campaign_audience (campaign_id, number, contact_id, account_id)
			    select :id, :selected + position, id, :account from page where matches),
			last as (
			    select created_at, id, position from page order by position desc limit 1)
			update campaign
			   set cursor_at = coalesce((select created_at from last), cursor_at),
			       cursor_id = coalesce((select id from last), cursor_id),
			       selected = :selected + coalesce((select position from last), 0),
			       selected_at = case when coalesce((select position from last), 0) < :limit then now() end
			 where id = :id and account_id = :account
			returning selected_at is not null as it
			""";

	/**
	 * Selects the next contacts of a campaign in the order of the cursor. The statement
	 * inserts narrow rows and returns no contacts. Contacts that do not match the filter,
	 * or that were added after the start, are passed over: the campaign's snapshot is
	 * compared, not times, because the clocks of servers differ.
	 * @return whether no contact follows
	 */
	boolean select(JdbcClient jdbc, Scope scope, FanOutState campaign, int limit) {
		return is(jdbc,
				SqlStatement.of(SELECT)
					.bind("id", campaign.id())
					.bind("account", scope.account())
					.bind("book", campaign.bookId())
					.bind("after", Objects.requireNonNullElse(campaign.cursorAt(), START))
					.bind("after_id", Objects.requireNonNullElse(campaign.cursorId(), START_ID))
					.bind("selected", campaign.selected())
					.bind("limit", limit));
	}

	/** The next selected contacts of a campaign. */
	List<Candidate> candidates(JdbcClient jdbc, Scope scope, FanOutState campaign, int limit) {
		return SqlStatement
			.of("""
					select number, contact_id as id, found.id is not null as found, coalesce(email, '') as email,
					       coalesce(first_name, '') as first_name, coalesce(last_name, '') as last_name,
					       coalesce(properties, '{}')::text as properties, coalesce(subscribed, false) as subscribed,
					       exists (select from suppression
					                where suppression.account_id = :account and suppression.address = email_key) as suppressed
					  from (select number, contact_id from campaign_audience
					         where campaign_id = :id and account_id = :account and number > :handled
					         order by number limit :limit) as chosen
					  -- the limit keeps the planner from reading all contacts for a page
					  left join lateral (
					      select contact.* from contact
					       where contact.id = contact_id and contact.account_id = :account limit 1) as found on true
					 order by number
					""")
			.bind("id", campaign.id())
			.bind("account", scope.account())
			.bind("handled", campaign.handled())
			.bind("limit", limit)
			.list(jdbc, this::candidate);
	}

	private static final String INSERT = """
			with target as materialized (
			    select * from unnest(:contacts::uuid[], :ids::uuid[], :addresses::text[], :keys::text[], :subjects::text[],
			                         :merges::text[])
			           with ordinality as target(contact_id, id, recipient, recipient_key, subject, merge, number)),
			fresh as (
			    insert into campaign_recipient (campaign_id, contact_id, account_id, email_id, merge)
			    select :campaign, contact_id, :account, id, merge::jsonb from target
			    on conflict (campaign_id, contact_id) do nothing
			    returning email_id),
			mail as materialized (
			    select target.id, contact_id, recipient, recipient_key, subject,
			           lower(substring(recipient from '[^@]*$')) as destination,
			           now() + (:ahead + (row_number() over (order by number) - 1) * :spacing) * interval '1 second' as due_at
			      from target join fresh on fresh.email_id = target.id order by number),
			emails as (
			    insert into email (id, account_id, domain_id, sender, from_email, to_emails, reply_to, subject, stream,
			                       last_event, open_tracking, click_tracking, link_host, created_at,
			                       campaign_id)
			    select mail.id, :account, campaign.domain_id, campaign.sender, campaign.from_email, array[mail.recipient],
			           campaign.reply_to, mail.subject, 'campaign', 'queued', domain.open_tracking, domain.click_tracking,
			           domain.link_host, :now, :campaign
			      from campaign left join domain on domain.id = campaign.domain_id and domain.account_id = :account
			     cross join mail
			     where campaign.id = :campaign and campaign.account_id = :account),
			deliveries as (
			    insert into delivery (id, account_id, email_id, position, recipient, contact_id, stream, status, created_at)
			    select id, :account, id, 0, recipient, contact_id, 'campaign', 'pending', :now from mail)
			%s
			"""
		.formatted(Transitions.enqueue(
				"""
						(select id, :account::uuid as account_id, id as email_id, recipient, recipient_key, destination, contact_id,
						               true as campaign, :campaign::uuid as campaign_id, due_at from mail) as recipients"""));

	/**
	 * Inserts the recipients of a page with their mails, except contacts that the
	 * campaign has handled before.
	 * @param aheadSeconds time until the first mail is due; negative if it is overdue
	 * @param spacingSeconds time between the due times of two mails
	 * @return number of mails
	 */
	int insert(JdbcClient jdbc, Scope scope, FanOutState campaign, List<Recipient> recipients, double aheadSeconds,
			double spacingSeconds) {
		Columns<Recipient> columns = Columns.of(recipients);
		return SqlStatement.of(INSERT)
			.bind("account", scope.account())
			.bind("campaign", campaign.id())
			.bind("now", campaign.now())
			.bind("ahead", aheadSeconds)
			.bind("spacing", spacingSeconds)
			.bind("contacts", columns.uuids(Recipient::contactId))
			.bind("ids", columns.uuids(Recipient::emailId))
			.bind("addresses", columns.texts(Recipient::address))
			.bind("keys", columns.texts(Recipient::key))
			.bind("subjects", columns.texts(Recipient::subject))
			.bind("merges", columns.texts((recipient) -> merge(recipient.merge())))
			.update(jdbc);
	}

	/** Records that contacts up to a number were handled, and removes their rows. */
	void advance(JdbcClient jdbc, Scope scope, UUID id, long handled, double aheadSeconds) {
		SqlStatement.of("""
				with passed as (
				    delete from campaign_audience
				     where campaign_id = :id and account_id = :account and number <= :handled)
				update campaign set handled = :handled,
				       paced_until = case when pace is not null then now() + :ahead * interval '1 second' end
				 where id = :id and account_id = :account
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("handled", handled)
			.bind("ahead", aheadSeconds)
			.update(jdbc);
	}

	/** Records that all contacts were handled. */
	void complete(JdbcClient jdbc, Scope scope, UUID id) {
		SqlStatement.of("update campaign set fanned_out_at = now() where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.update(jdbc);
	}

	void notifyDispatcher(JdbcClient jdbc, Scope scope) {
		SqlStatement.of("select pg_notify('mailroom_due', '') where :account::uuid is not null")
			.bind("account", scope.account())
			.run(jdbc);
	}

	private static boolean is(JdbcClient jdbc, SqlStatement statement) {
		return statement.list(jdbc, (row) -> on(row, "it")).getFirst();
	}

	private static DueCampaign.Key key(Readable row) {
		return new DueCampaign.Key(value(row, "id", UUID.class), value(row, "account_id", UUID.class));
	}

	private @Nullable String merge(Map<String, String> merge) {
		return merge.isEmpty() ? null : this.json.writeValueAsString(merge);
	}

	private Candidate candidate(Readable row) {
		return new Candidate(value(row, "number", Long.class), value(row, "id", UUID.class), text(row, "email"),
				text(row, "first_name"), text(row, "last_name"),
				Objects.requireNonNull(this.json.readValue(text(row, "properties"), OBJECT), "properties"),
				on(row, "found"), on(row, "subscribed") && !on(row, "suppressed"));
	}

	/**
	 * A locked campaign.
	 *
	 * @param selected highest number of a selected contact
	 * @param handled highest number of a handled contact
	 * @param complete whether all contacts were selected
	 * @param pace mails per minute; null without a limit
	 * @param pacedAhead seconds until its last mail is due
	 * @param now the start of the transaction, by the database's clock
	 * @param warming whether its domain warms up
	 * @param queued number of its mails that are ready to be sent, up to a limit
	 */
	record FanOutState(UUID id, UUID domainId, UUID bookId, @Nullable Instant cursorAt, @Nullable UUID cursorId,
			long selected, long handled, boolean complete, @Nullable Integer pace, double pacedAhead, Instant now,
			boolean domainVerified, boolean warming, long queued) {

		/** Time for which a campaign with a pace has mails queued. */
		private static final double PACE_AHEAD_SECONDS = 10;

		static FanOutState of(Readable row) {
			return new FanOutState(value(row, "id", UUID.class), value(row, "domain_id", UUID.class),
					value(row, "contact_book_id", UUID.class), row.get("cursor_at", Instant.class),
					row.get("cursor_id", UUID.class), value(row, "selected", Long.class),
					value(row, "handled", Long.class), on(row, "complete"), row.get("pace", Integer.class),
					value(row, "paced_ahead", Double.class), value(row, "now", Instant.class),
					on(row, "domain_verified"), on(row, "warming"), value(row, "queued", Long.class));
		}

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
	 * A selected contact.
	 *
	 * @param number position in the order of the campaign
	 * @param found whether it is still in a book; otherwise its fields are empty
	 * @param reachable whether it is subscribed and not suppressed
	 */
	record Candidate(long number, UUID id, String email, String firstName, String lastName,
			Map<String, @Nullable Object> properties, boolean found, boolean reachable) {

		/** Whether the contact gets a mail; others are skipped. */
		boolean getsMail() {
			return this.found && this.reachable;
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

		@Nullable String key() {
			return (this.address != null) ? EmailAddress.keyBeyondAscii(this.address) : null;
		}

	}

}
