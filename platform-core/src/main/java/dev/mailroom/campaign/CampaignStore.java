package dev.mailroom.campaign;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Repository;

/** Campaigns as their owners keep and see them. */
@Repository
class CampaignStore {

	private final DatabaseClient database;

	CampaignStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Void> insert(Scope scope, UUID id, ResolvedCampaign campaign, Instant now) {
		return written(this.database.sql("""
				insert into campaign (id, account_id, name, status, sender, from_email, domain_id, reply_to, subject,
				                      contact_book_id, contact_book_name, template_id, html_content, text_content,
				                      send_at, created_at, updated_at)
				values (:id, :account, :name, :status, :sender, :email, :domain, :replies, :subject,
				        :book, :bookName, :template, :html, :text, :at, :now, :now)
				"""), campaign).bind("id", id).bind("account", scope.account()).bind("now", now).then();
	}

	/** Changes a campaign, if its state still lets it be changed. */
	Mono<Void> update(Scope scope, UUID id, ResolvedCampaign campaign, Instant now) {
		return written(this.database.sql("""
				update campaign
				   set name = :name, status = :status, sender = :sender, from_email = :email, domain_id = :domain,
				       reply_to = :replies, subject = :subject, contact_book_id = :book,
				       contact_book_name = :bookName, template_id = :template, html_content = :html,
				       text_content = :text, send_at = :at, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from)
				"""), campaign).bind("id", id)
			.bind("account", scope.account())
			.bind("from", CampaignAction.EDIT.from())
			.bind("now", now)
			.then();
	}

	/**
	 * Changes what may still be changed once a campaign has started, if its state lets
	 * it.
	 */
	Mono<Void> rename(Scope scope, UUID id, CampaignRules.Fit campaign, Instant now) {
		return time(this.database.sql("""
				update campaign set name = :name, status = :status, send_at = :at, updated_at = :now
				 where id = :id and account_id = :account and status = any(:from)
				"""), campaign.sendAt()).bind("id", id)
			.bind("account", scope.account())
			.bind("name", campaign.name())
			.bind("status", campaign.status().wire())
			.bind("from", CampaignAction.EDIT.from())
			.bind("now", now)
			.then();
	}

	Mono<Campaign> find(Scope scope, UUID id) {
		return this.database.sql("select * from campaign_seen where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.map(CampaignRow::read)
			.one();
	}

	/** Until the transaction ends, nobody else changes this campaign. */
	Mono<UUID> hold(Scope scope, UUID id) {
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
			.mapProperties(Campaign.Listed.class)
			.all();
	}

	Mono<Long> count(Scope scope, Campaign.Filter filter) {
		return filtered("select count(*) from campaign where account_id = :account %s", scope, filter)
			.mapValue(Long.class)
			.one();
	}

	/** Deletes a campaign, if its state lets it be deleted. */
	Mono<Long> delete(Scope scope, UUID id) {
		return this.database
			.sql("delete from campaign where id = :id and account_id = :account and status = any(:from)")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("from", CampaignAction.DELETE.from())
			.fetch()
			.rowsUpdated();
	}

	/** strpos knows no wildcards. */
	private GenericExecuteSpec filtered(String sql, Scope scope, Campaign.Filter filter) {
		String status = (filter.status() != null) ? " and status = :status" : "";
		String search = (filter.search() == null) ? "" : """
				 and (strpos(lower(name), lower(:search)) > 0 or strpos(lower(subject), lower(:search)) > 0)
				""";
		GenericExecuteSpec bound = this.database.sql(sql.formatted(status + search)).bind("account", scope.account());
		bound = (filter.status() != null) ? bound.bind("status", filter.status().wire()) : bound;
		return (filter.search() != null) ? bound.bind("search", filter.search()) : bound;
	}

	private static GenericExecuteSpec written(GenericExecuteSpec sql, ResolvedCampaign campaign) {
		CampaignRules.Fit fit = campaign.fit();
		GenericExecuteSpec bound = sql.bind("name", fit.name())
			.bind("status", fit.status().wire())
			.bind("sender", fit.from().toString())
			.bind("email", fit.from().address().toString())
			.bind("domain", campaign.domainId())
			.bind("replies", fit.replyTo().toArray(String[]::new))
			.bind("subject", fit.subject())
			.bind("book", fit.contactBookId())
			.bind("bookName", campaign.contactBookName());
		bound = value(bound, "template", fit.templateId(), UUID.class);
		bound = value(bound, "html", campaign.html(), String.class);
		bound = value(bound, "text", campaign.text(), String.class);
		return time(bound, fit.sendAt());
	}

	private static GenericExecuteSpec time(GenericExecuteSpec sql, @Nullable Instant at) {
		return value(sql, "at", at, Instant.class);
	}

	private static <T> GenericExecuteSpec value(GenericExecuteSpec sql, String name, @Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

}
