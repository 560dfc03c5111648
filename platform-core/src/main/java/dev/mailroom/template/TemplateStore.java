package dev.mailroom.template;

import java.time.Instant;
import java.util.Collection;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the template feature. */
@Repository
class TemplateStore {

	private final DatabaseClient database;

	TemplateStore(DatabaseClient database) {
		this.database = database;
	}

	/** Inserts a template; empty if the account has a template of this name. */
	Mono<Template> insert(Scope scope, UUID id, TemplateRules.Checked template, Instant now) {
		return fields(this.database.sql("""
				insert into template (id, account_id, name, subject, html_content, text_content, variables,
				                      created_at, updated_at)
				values (:id, :account, :name, :subject, :html, :text, :variables, :now, :now)
				on conflict (account_id, name) do nothing returning *
				"""), template).bind("id", id)
			.bind("account", scope.account())
			.bind("now", now)
			.mapProperties(Template.class)
			.one();
	}

	Mono<Template> update(Scope scope, UUID id, TemplateRules.Checked template, Instant now) {
		return fields(this.database.sql("""
				update template set name = :name, subject = :subject, html_content = :html, text_content = :text,
				       variables = :variables, updated_at = :now
				 where id = :id and account_id = :account returning *
				"""), template).bind("id", id)
			.bind("account", scope.account())
			.bind("now", now)
			.mapProperties(Template.class)
			.one();
	}

	Mono<Template> find(Scope scope, UUID id) {
		return this.database.sql("select * from template where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(Template.class)
			.one();
	}

	/** Reads a template and locks it against changes until the transaction ends. */
	Mono<Template> lock(Scope scope, UUID id) {
		return this.database.sql("select * from template where id = :id and account_id = :account for update")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(Template.class)
			.one();
	}

	Flux<Template> findAll(Scope scope, Collection<UUID> ids) {
		return this.database.sql("select * from template where id = any(:ids) and account_id = :account")
			.bind("ids", ids.toArray(UUID[]::new))
			.bind("account", scope.account())
			.mapProperties(Template.class)
			.all();
	}

	Flux<Template> list(Scope scope, @Nullable String search, Page.Request page) {
		// The search uses strpos, which has no wildcards to escape.
		String condition = (search == null) ? "" : """
				 and (strpos(lower(name), lower(:search)) > 0 or strpos(lower(subject), lower(:search)) > 0)
				""";
		GenericExecuteSpec bound = PageSql
			.bind(this.database.sql("select * from template where account_id = :account" + condition + PageSql.of(page))
				.bind("account", scope.account()), page, page.rows());
		return ((search != null) ? bound.bind("search", search) : bound).mapProperties(Template.class).all();
	}

	Mono<Long> count(Scope scope) {
		return this.database.sql("select count(*) from template where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	Mono<Long> delete(Scope scope, UUID id) {
		return this.database.sql("delete from template where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated();
	}

	/** Binds the checked fields of a template. */
	static GenericExecuteSpec fields(GenericExecuteSpec sql, TemplateRules.Checked template) {
		GenericExecuteSpec named = sql.bind("name", template.name())
			.bind("variables", template.variables().toArray(String[]::new));
		return text(text(text(named, "subject", template.subject()), "html", template.htmlContent()), "text",
				template.textContent());
	}

	private static GenericExecuteSpec text(GenericExecuteSpec sql, String name, @Nullable String text) {
		return (text != null) ? sql.bind(name, text) : sql.bindNull(name, String.class);
	}

}
