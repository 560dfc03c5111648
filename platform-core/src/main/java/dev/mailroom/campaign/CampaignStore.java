package dev.mailroom.campaign;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.domain.Warmup;
import dev.mailroom.mail.queue.Transitions;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * SQL of campaigns and of their status, with the queued mails that follow it. A change of
 * the status is one update that names the states it is permitted in, so that exactly one
 * of several concurrent ones succeeds.
 */
@Repository
class CampaignStore {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	/** Waiting mails that follow a change of the status in one transaction. */
	static final int MAX_MOVED = 5_000;

	private final DatabaseClient database;

	private final Transitions transitions;

	private final JsonMapper json;

	CampaignStore(DatabaseClient database, Transitions transitions, JsonMapper json) {
		this.database = database;
		this.transitions = transitions;
		this.json = json;
	}

	Mono<Void> insert(Scope scope, UUID id, CampaignReferences.Resolved campaign, Instant now) {
		return content(this.database.sql("""
				insert into campaign (id, account_id, name, status, sender, from_email, domain_id, reply_to, subject,
				                      contact_book_id, contact_book_name, template_id, html_content, text_content,
				                      send_at, filter, pace, created_at, updated_at)
				values (:id, :account, :name, :status, :sender, :email, :domain, :replies, :subject,
				        :book, :bookName, :template, :html, :text, :at, :filter::jsonb, :pace, :now, :now)
				"""), campaign).bind("id", id).bind("account", scope.account()).bind("now", now).then();
	}

	/** Replaces the content of a campaign that may be edited. */
	Mono<Void> update(Scope scope, UUID id, CampaignReferences.Resolved campaign, Instant now) {
		return content(change("""
				update campaign
				   set name = :name, status = :status, sender = :sender, from_email = :email, domain_id = :domain,
				       reply_to = :replies, subject = :subject, contact_book_id = :book,
				       contact_book_name = :bookName, template_id = :template, html_content = :html,
				       text_content = :text, send_at = :at, filter = :filter::jsonb, pace = :pace,
				       updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.EDIT, now), campaign).then();
	}

	/**
	 * Changes the name, the time and the pace of a campaign that may be edited, which is
	 * all that may change after its first start.
	 */
	Mono<Void> rename(Scope scope, UUID id, CampaignRules.Checked campaign, Instant now) {
		GenericExecuteSpec renamed = change("""
				update campaign set name = :name, status = :status, send_at = :at, pace = :pace, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.EDIT, now);
		renamed = nullable(renamed, "pace", campaign.pace(), Integer.class);
		return nullable(renamed, "at", campaign.sendAt(), Instant.class).bind("name", campaign.name())
			.bind("status", campaign.status().contractName())
			.then();
	}

	/** Pauses a running campaign; empty if it is not running. */
	Mono<UUID> pause(Scope scope, UUID id, Instant now) {
		return change("""
				update campaign set status = 'paused', paused_reason = null, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.PAUSE, now).mapValue(UUID.class).one();
	}

	/** Pauses all running campaigns of an account. */
	Flux<UUID> pauseAll(Scope scope, String reason, Instant now) {
		return this.database.sql("""
				update campaign set status = 'paused', paused_reason = :reason, updated_at = :now
				 where account_id = :account and id = any(array(
				     select id from campaign where account_id = :account and status = 'running' order by id for update))
				returning id
				""")
			.bind("reason", reason)
			.bind("account", scope.account())
			.bind("now", now)
			.mapValue(UUID.class)
			.all();
	}

	/** Schedules a campaign; empty if its state does not permit it. */
	Mono<UUID> schedule(Scope scope, UUID id, Instant sendAt, Instant now) {
		return change("""
				update campaign set status = 'scheduled', send_at = :at, paused_reason = null, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.SCHEDULE, now).bind("at", sendAt).mapValue(UUID.class).one();
	}

	/** Makes a scheduled campaign a draft again; empty if it is not scheduled. */
	Mono<UUID> unschedule(Scope scope, UUID id, Instant now) {
		return change("""
				update campaign set status = 'draft', send_at = null, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.UNSCHEDULE, now).mapValue(UUID.class).one();
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

	/** Whether a campaign has a subscribed contact. */
	Mono<Boolean> hasSubscribers(Scope scope, UUID id) {
		return this.database.sql("""
				select exists (select from contact join campaign on campaign.contact_book_id = contact.contact_book_id
				                where campaign.id = :id and campaign.account_id = :account
				                  and contact.account_id = :account and contact.subscribed
				                  and contact_matches(campaign.filter, contact))
				""").bind("account", scope.account()).bind("id", id).mapValue(Boolean.class).one();
	}

	/**
	 * Starts or resumes a campaign; empty if its status is no longer {@code from}. The
	 * first start fixes its content and its contacts: those that the statement's snapshot
	 * contains. The caller has locked the campaign; without the lock the view could show
	 * an older version of it.
	 */
	Mono<UUID> start(Scope scope, UUID id, CampaignStatus from, UUID domainId, Instant now) {
		return starting(scope, id, from, domainId, now).on(this.database)
			.fetch()
			.rowsUpdated()
			.filter((rows) -> rows > 0)
			.map((_) -> id);
	}

	/** Starts a campaign over JDBC; false if its status is no longer {@code from}. */
	boolean start(JdbcClient jdbc, Scope scope, UUID id, CampaignStatus from, UUID domainId, Instant now) {
		return starting(scope, id, from, domainId, now).update(jdbc) > 0;
	}

	private static SqlStatement starting(Scope scope, UUID id, CampaignStatus from, UUID domainId, Instant now) {
		return SqlStatement.of("""
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
				              and contact_matches(campaign.filter, contact)) end
				  from campaign_seen seen
				 where seen.id = campaign.id and seen.account_id = :account
				   and campaign.id = :id and campaign.account_id = :account and campaign.status = :from
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", from.contractName())
			.bind("domain", domainId)
			.bind("now", now);
	}

	/**
	 * Holds queued mails of campaigns that do not run any more, and notes whether others
	 * may be left. The caller has changed their status in the same transaction, or locked
	 * it.
	 * @return number of mails held; at least the limit if others may be left
	 */
	Mono<Long> hold(Scope scope, Collection<UUID> ids) {
		return this.transitions.holdCampaigns(scope, ids, MAX_MOVED)
			.delayUntil((moved) -> (moved < MAX_MOVED) ? Mono.empty() : following(scope, ids).on(this.database).then());
	}

	/** Holds queued mails of a campaign over JDBC. */
	int hold(JdbcClient jdbc, Scope scope, UUID id) {
		int moved = this.transitions.holdCampaigns(jdbc, scope, List.of(id), MAX_MOVED);
		if (moved >= MAX_MOVED) {
			following(scope, List.of(id)).update(jdbc);
		}
		return moved;
	}

	/**
	 * Ends the hold of mails of a campaign, up to a limit, and notes whether others may
	 * be left. The caller has locked the campaign.
	 * @return number of mails that are not held any more; the limit if others may be left
	 */
	Mono<Long> release(Scope scope, UUID id) {
		return this.transitions.releaseCampaign(scope, id, MAX_MOVED)
			.delayUntil((moved) -> (moved < MAX_MOVED) ? Mono.empty()
					: following(scope, List.of(id)).on(this.database).then());
	}

	/** Ends the hold of mails of a campaign over JDBC. */
	int release(JdbcClient jdbc, Scope scope, UUID id) {
		int moved = this.transitions.releaseCampaign(jdbc, scope, id, MAX_MOVED);
		if (moved >= MAX_MOVED) {
			following(scope, List.of(id)).update(jdbc);
		}
		return moved;
	}

	private static SqlStatement following(Scope scope, Collection<UUID> ids) {
		return SqlStatement
			.of("""
					insert into campaign_follow_up (campaign_id, account_id) select id, :account from unnest(:ids::uuid[]) as id
					on conflict (campaign_id) do nothing
					""")
			.bind("ids", ids.toArray(UUID[]::new))
			.bind("account", scope.account());
	}

	/**
	 * Locks those of the campaigns whose mails are to be held against a change of the
	 * status. Running and deleted ones are left out.
	 */
	Flux<UUID> lockStopped(Scope scope, Collection<UUID> ids) {
		return stopped(scope, ids).on(this.database).mapValue(UUID.class).all();
	}

	/** Locks a campaign over JDBC; false if its mails are not to be held. */
	boolean lockStopped(JdbcClient jdbc, Scope scope, UUID id) {
		return !stopped(scope, List.of(id)).list(jdbc, (row) -> value(row, "id", UUID.class)).isEmpty();
	}

	private static SqlStatement stopped(Scope scope, Collection<UUID> ids) {
		return SqlStatement.of("""
				select id from campaign where id = any(:ids) and account_id = :account and status <> 'running'
				 order by id for share
				""").bind("ids", ids.toArray(UUID[]::new)).bind("account", scope.account());
	}

	/**
	 * Deletes a campaign with its results; empty if its state does not permit it. Its
	 * recipients are left to retention, because there may be many.
	 */
	Mono<UUID> delete(Scope scope, UUID id) {
		return this.database.sql("""
				with gone as (
				    delete from campaign
				     where id = :id and account_id = :account and status = any(:from) returning id),
				audience as (delete from campaign_audience using gone where campaign_id = gone.id),
				counts as (delete from campaign_count using gone where campaign_id = gone.id),
				minutes as (delete from campaign_minute using gone where campaign_id = gone.id),
				links as (delete from campaign_link using gone where campaign_id = gone.id)
				select id from gone
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", CampaignAction.DELETE.from())
			.mapValue(UUID.class)
			.one();
	}

	Mono<Campaign> find(Scope scope, UUID id) {
		return finding(scope, id).on(this.database).map(this::campaign).one();
	}

	/** Reads a campaign that the caller has locked, over JDBC. */
	Campaign get(JdbcClient jdbc, Scope scope, UUID id) {
		return finding(scope, id).list(jdbc, this::campaign).getFirst();
	}

	private static SqlStatement finding(Scope scope, UUID id) {
		return SqlStatement.of("""
				select *, filter::text as condition
				  from campaign_seen left join warmup_today using (domain_id, account_id)
				 where id = :id and account_id = :account
				""").bind("id", id).bind("account", scope.account());
	}

	/** Locks a campaign against changes until the transaction ends. */
	Mono<UUID> lock(Scope scope, UUID id) {
		return this.database.sql("select id from campaign where id = :id and account_id = :account for update")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(UUID.class)
			.one();
	}

	Flux<Campaign.Listed> list(Scope scope, Campaign.Filter filter, Page.Request page) {
		GenericExecuteSpec list = filtered(
				"""
						select id, account_id, domain_id, name, status, from_email, subject, contact_book_name, send_at, started_at,
						       pace, total_contacts, sent_count, delivered_count, bounced_count, complained_count, failed_count, opened_count,
						       clicked_count, unsubscribed_count, skipped_count, created_at, updated_at,
						       warming_since, warmup_day, warmup_used, warmup_resets_at, warmup_allowances
						  from campaign_seen left join warmup_today using (domain_id, account_id) where account_id = :account %s
						"""
						+ PageSql.of(page),
				scope, filter);
		return PageSql.bind(list, page, page.rows()).map(CampaignStore::listed).all();
	}

	Mono<Long> count(Scope scope, Campaign.Filter filter) {
		return filtered("select count(*) from campaign where account_id = :account %s", scope, filter)
			.mapValue(Long.class)
			.one();
	}

	/** The search uses strpos, which has no wildcards to escape. */
	private GenericExecuteSpec filtered(String sql, Scope scope, Campaign.Filter filter) {
		String status = (filter.status() != null) ? " and status = :status" : "";
		String search = (filter.search() == null) ? "" : """
				 and (strpos(lower(name), lower(:search)) > 0 or strpos(lower(subject), lower(:search)) > 0)
				""";
		GenericExecuteSpec bound = this.database.sql(sql.formatted(status + search)).bind("account", scope.account());
		bound = (filter.status() != null) ? bound.bind("status", filter.status().contractName()) : bound;
		return (filter.search() != null) ? bound.bind("search", filter.search()) : bound;
	}

	private GenericExecuteSpec change(String sql, Scope scope, UUID id, CampaignAction action, Instant now) {
		return this.database.sql(sql)
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", action.from())
			.bind("now", now);
	}

	private GenericExecuteSpec content(GenericExecuteSpec sql, CampaignReferences.Resolved campaign) {
		CampaignRules.Checked checked = campaign.checked();
		GenericExecuteSpec bound = sql.bind("name", checked.name())
			.bind("status", checked.status().contractName())
			.bind("sender", checked.from().toString())
			.bind("email", checked.from().address().toString())
			.bind("domain", campaign.domainId())
			.bind("replies", checked.replyTo().toArray(String[]::new))
			.bind("subject", checked.subject())
			.bind("book", checked.contactBookId())
			.bind("bookName", campaign.contactBookName());
		bound = nullable(bound, "template", checked.templateId(), UUID.class);
		bound = nullable(bound, "html", campaign.html(), String.class);
		bound = nullable(bound, "text", campaign.text(), String.class);
		bound = nullable(bound, "filter",
				checked.filter().isEmpty() ? null : this.json.writeValueAsString(checked.filter()), String.class);
		bound = nullable(bound, "pace", checked.pace(), Integer.class);
		return nullable(bound, "at", checked.sendAt(), Instant.class);
	}

	private static <T> GenericExecuteSpec nullable(GenericExecuteSpec sql, String name, @Nullable T value,
			Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	private Campaign campaign(Readable row) {
		@Nullable String filter = row.get("condition", String.class);
		return new Campaign(value(row, "id", UUID.class), value(row, "account_id", UUID.class), text(row, "name"),
				CampaignStatus.of(text(row, "status")).orElseThrow(), text(row, "sender"), text(row, "from_email"),
				value(row, "domain_id", UUID.class), List.of(value(row, "reply_to", String[].class)),
				text(row, "subject"), value(row, "contact_book_id", UUID.class), text(row, "contact_book_name"),
				row.get("template_id", UUID.class), row.get("html_content", String.class),
				row.get("text_content", String.class), row.get("send_at", Instant.class),
				row.get("started_at", Instant.class), row.get("paused_reason", String.class),
				(filter != null) ? this.json.readValue(filter, OBJECT) : Map.of(), row.get("pace", Integer.class),
				count(row, "total_contacts"), counts(row), Warmup.of(row), value(row, "created_at", Instant.class),
				value(row, "updated_at", Instant.class));
	}

	private static Campaign.Counts counts(Readable row) {
		return new Campaign.Counts(count(row, "sent_count"), count(row, "delivered_count"), count(row, "bounced_count"),
				count(row, "complained_count"), count(row, "failed_count"), count(row, "opened_count"),
				count(row, "clicked_count"), count(row, "unsubscribed_count"), count(row, "skipped_count"));
	}

	private static Campaign.Listed listed(Readable row) {
		return new Campaign.Listed(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				text(row, "name"), CampaignStatus.of(text(row, "status")).orElseThrow(), text(row, "from_email"),
				text(row, "subject"), text(row, "contact_book_name"), row.get("send_at", Instant.class),
				row.get("started_at", Instant.class), row.get("pace", Integer.class), count(row, "total_contacts"),
				counts(row), Warmup.of(row), value(row, "created_at", Instant.class),
				value(row, "updated_at", Instant.class));
	}

	private static long count(Readable row, String column) {
		return value(row, column, Long.class);
	}

}
