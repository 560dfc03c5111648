package dev.mailroom.template;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Repository;

/** SQL of the drafts and versions of templates. */
@Repository
class TemplateVersionStore {

	private final DatabaseClient database;

	TemplateVersionStore(DatabaseClient database) {
		this.database = database;
	}

	/** Adds the content that the template has as its next version. */
	Mono<Void> add(Scope scope, UUID id, UUID template) {
		return author(this.database.sql(insert("")), scope).bind("id", id)
			.bind("account", scope.account())
			.bind("template", template)
			.then();
	}

	/**
	 * Adds the content of a template without versions as its first one, by an unknown
	 * author: it is older than the history.
	 */
	Mono<Void> addFirst(Scope scope, UUID id, UUID template) {
		return this.database.sql(insert("""
				 and not exists (select 1 from template_version
				                  where template_id = t.id and account_id = :account and number is not null)
				"""))
			.bindNull("member", UUID.class)
			.bindNull("key", UUID.class)
			.bind("id", id)
			.bind("account", scope.account())
			.bind("template", template)
			.then();
	}

	private static String insert(String condition) {
		return """
				insert into template_version (id, account_id, template_id, number, name, subject, html_content,
				                              text_content, variables, blocks, member_id, api_key_id, changed_at)
				select :id, account_id, id,
				       coalesce((select max(number) from template_version
				                  where template_id = t.id and account_id = :account), 0) + 1,
				       name, subject, html_content, text_content, variables,
				       (select document from block_document b
				         where b.template_id = t.id and b.account_id = :account
				           and b.html_hash = sha256(convert_to(coalesce(t.html_content, ''), 'UTF8'))),
				       :member, :key, updated_at
				  from template t where id = :template and account_id = :account
				""" + condition;
	}

	/** Removes all but the newest versions. */
	Mono<Void> prune(Scope scope, UUID template, int kept) {
		return this.database.sql("""
				delete from template_version
				 where template_id = :template and account_id = :account
				   and number <= (select max(number) from template_version
				                   where template_id = :template and account_id = :account) - :kept
				""").bind("template", template).bind("account", scope.account()).bind("kept", kept).then();
	}

	/** Inserts or replaces the draft. */
	Mono<Void> saveDraft(Scope scope, UUID id, UUID template, TemplateRules.Checked draft, @Nullable String blocks,
			Instant now) {
		GenericExecuteSpec sql = author(this.database.sql("""
				insert into template_version (id, account_id, template_id, name, subject, html_content, text_content,
				                              variables, blocks, member_id, api_key_id, changed_at)
				values (:id, :account, :template, :name, :subject, :html, :text, :variables, :blocks::jsonb,
				        :member, :key, :now)
				on conflict (template_id) where number is null do update
				   set name = excluded.name, subject = excluded.subject, html_content = excluded.html_content,
				       text_content = excluded.text_content, variables = excluded.variables,
				       blocks = excluded.blocks, member_id = excluded.member_id,
				       api_key_id = excluded.api_key_id, changed_at = excluded.changed_at
				"""), scope);
		sql = TemplateStore.fields(sql, draft);
		sql = (blocks != null) ? sql.bind("blocks", blocks) : sql.bindNull("blocks", String.class);
		return sql.bind("id", id).bind("account", scope.account()).bind("template", template).bind("now", now).then();
	}

	Mono<Void> deleteDraft(Scope scope, UUID template) {
		return this.database.sql("""
				delete from template_version
				 where template_id = :template and account_id = :account and number is null
				""").bind("template", template).bind("account", scope.account()).then();
	}

	/** The draft and the versions, newest first. */
	Flux<TemplateVersion> list(Scope scope, UUID template) {
		return this.database.sql("""
				select account_id, number, name, member_id, api_key_id, changed_at from template_version
				 where template_id = :template and account_id = :account order by number desc nulls first
				""")
			.bind("template", template)
			.bind("account", scope.account())
			.mapProperties(TemplateVersion.class)
			.all();
	}

	/** The content of the version with the number, or of the draft without one. */
	Mono<TemplateVersion.Stored> find(Scope scope, UUID template, @Nullable Integer number) {
		GenericExecuteSpec sql = this.database.sql("""
				select name, subject, html_content, text_content, variables, blocks::text from template_version
				 where template_id = :template and account_id = :account and number is not distinct from :number
				""").bindValues(Map.of("template", template, "account", scope.account()));
		return ((number != null) ? sql.bind("number", number) : sql.bindNull("number", Integer.class))
			.mapProperties(TemplateVersion.Stored.class)
			.one();
	}

	/** Binds the person or the API key of a request. */
	private static GenericExecuteSpec author(GenericExecuteSpec sql, Scope scope) {
		@Nullable UUID key = scope.apiKey();
		if (key != null) {
			return sql.bind("key", key).bindNull("member", UUID.class);
		}
		@Nullable UUID member = scope.member();
		return sql.bindNull("key", UUID.class).bind("member", (member != null) ? member : scope.account());
	}

}
