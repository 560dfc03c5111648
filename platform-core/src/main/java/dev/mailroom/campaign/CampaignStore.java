package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Repository;

/**
 * SQL of what an owner does with campaigns. A transition is one update that names the
 * states it is permitted in, so that exactly one of several concurrent ones succeeds.
 */
@Repository
class CampaignStore {

	private final DatabaseClient database;

	CampaignStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Void> insert(Scope scope, UUID id, ResolvedCampaign campaign, Instant now) {
		return content(this.database.sql("""
				insert into campaign (id, account_id, name, status, sender, from_email, domain_id, reply_to, subject,
				                      contact_book_id, contact_book_name, template_id, html_content, text_content,
				                      send_at, created_at, updated_at)
				values (:id, :account, :name, :status, :sender, :email, :domain, :replies, :subject,
				        :book, :bookName, :template, :html, :text, :at, :now, :now)
				"""), campaign).bind("id", id).bind("account", scope.account()).bind("now", now).then();
	}

	/** Replaces the content of a campaign that may be edited. */
	Mono<Void> update(Scope scope, UUID id, ResolvedCampaign campaign, Instant now) {
		return content(change("""
				update campaign
				   set name = :name, status = :status, sender = :sender, from_email = :email, domain_id = :domain,
				       reply_to = :replies, subject = :subject, contact_book_id = :book,
				       contact_book_name = :bookName, template_id = :template, html_content = :html,
				       text_content = :text, send_at = :at, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.EDIT, now), campaign).then();
	}

	/**
	 * Changes the name and the time of a campaign that may be edited, which is all that
	 * may change after its first start.
	 */
	Mono<Void> rename(Scope scope, UUID id, CampaignRules.Checked campaign, Instant now) {
		return value(change("""
				update campaign set name = :name, status = :status, send_at = :at, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.EDIT, now), "at", campaign.sendAt(), Instant.class)
			.bind("name", campaign.name())
			.bind("status", campaign.status().wire())
			.then();
	}

	/** Pauses a running campaign; empty if it is not running. */
	Mono<UUID> pause(Scope scope, UUID id, Instant now) {
		return change("""
				update campaign set status = 'paused', paused_reason = null, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from) returning id
				""", scope, id, CampaignAction.PAUSE, now).mapValue(UUID.class).one();
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

	/** Deletes a campaign; empty if its state does not permit it. */
	Mono<UUID> delete(Scope scope, UUID id) {
		return this.database
			.sql("delete from campaign where id = :id and account_id = :account and status = any(:from) returning id")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", CampaignAction.DELETE.from())
			.mapValue(UUID.class)
			.one();
	}

	Mono<Campaign> find(Scope scope, UUID id) {
		return this.database.sql("select * from campaign_seen where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.map(CampaignStore::campaign)
			.one();
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
		return filtered("""
				select id, account_id, name, status, from_email, subject, contact_book_name, total_contacts, sent_count,
				       delivered_count, opened_count, clicked_count, created_at
				  from campaign_seen where account_id = :account %s
				 order by created_at desc, id desc limit :limit offset :offset
				""", scope, filter).bind("limit", page.limit())
			.bind("offset", page.offset())
			.map(CampaignStore::listed)
			.all();
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
		bound = (filter.status() != null) ? bound.bind("status", filter.status().wire()) : bound;
		return (filter.search() != null) ? bound.bind("search", filter.search()) : bound;
	}

	private GenericExecuteSpec change(String sql, Scope scope, UUID id, CampaignAction action, Instant now) {
		return this.database.sql(sql)
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", action.from())
			.bind("now", now);
	}

	private static GenericExecuteSpec content(GenericExecuteSpec sql, ResolvedCampaign campaign) {
		CampaignRules.Checked checked = campaign.checked();
		GenericExecuteSpec bound = sql.bind("name", checked.name())
			.bind("status", checked.status().wire())
			.bind("sender", checked.from().toString())
			.bind("email", checked.from().address().toString())
			.bind("domain", campaign.domainId())
			.bind("replies", checked.replyTo().toArray(String[]::new))
			.bind("subject", checked.subject())
			.bind("book", checked.contactBookId())
			.bind("bookName", campaign.contactBookName());
		bound = value(bound, "template", checked.templateId(), UUID.class);
		bound = value(bound, "html", campaign.html(), String.class);
		bound = value(bound, "text", campaign.text(), String.class);
		return value(bound, "at", checked.sendAt(), Instant.class);
	}

	private static <T> GenericExecuteSpec value(GenericExecuteSpec sql, String name, @Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	private static Campaign campaign(Readable row) {
		return new Campaign(required(row, "id", UUID.class), required(row, "account_id", UUID.class),
				required(row, "name", String.class), status(row), required(row, "sender", String.class),
				required(row, "from_email", String.class), required(row, "domain_id", UUID.class),
				List.of(required(row, "reply_to", String[].class)), required(row, "subject", String.class),
				required(row, "contact_book_id", UUID.class), required(row, "contact_book_name", String.class),
				row.get("template_id", UUID.class), row.get("html_content", String.class),
				row.get("text_content", String.class), row.get("send_at", Instant.class),
				row.get("started_at", Instant.class), row.get("paused_reason", String.class),
				number(row, "total_contacts"), number(row, "sent_count"), number(row, "delivered_count"),
				number(row, "opened_count"), number(row, "clicked_count"), required(row, "created_at", Instant.class),
				required(row, "updated_at", Instant.class));
	}

	private static Campaign.Listed listed(Readable row) {
		return new Campaign.Listed(required(row, "id", UUID.class), required(row, "account_id", UUID.class),
				required(row, "name", String.class), status(row), required(row, "from_email", String.class),
				required(row, "subject", String.class), required(row, "contact_book_name", String.class),
				number(row, "total_contacts"), number(row, "sent_count"), number(row, "delivered_count"),
				number(row, "opened_count"), number(row, "clicked_count"), required(row, "created_at", Instant.class));
	}

	private static Status status(Readable row) {
		return Status.of(required(row, "status", String.class)).orElseThrow();
	}

	private static long number(Readable row, String column) {
		return required(row, column, Long.class);
	}

	private static <T> T required(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
