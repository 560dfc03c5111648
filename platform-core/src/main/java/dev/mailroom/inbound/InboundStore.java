package dev.mailroom.inbound;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL that reads received mail. */
@Repository
class InboundStore {

	/** Limits rows to the account and, for an API key, to its domain. */
	private static final String IN_SCOPE = " account_id = :account and (:only::uuid is null or domain_id = :only)";

	/** Newest mails among which a text is searched. */
	private static final int MAX_SEARCHED = 20_000;

	private final DatabaseClient database;

	InboundStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<InboundEmail> find(Scope scope, UUID id) {
		return scoped("select * from inbound_email where id = :id and" + IN_SCOPE, scope).bind("id", id)
			.mapProperties(InboundEmail.class)
			.one();
	}

	/** Reads one row more than the page holds, to detect the last page. */
	Flux<InboundEmail> list(Scope scope, @Nullable UUID domainId, Page.Request page) {
		String sql = "select * from inbound_email where" + IN_SCOPE + filter(domainId) + PageSql.of(page);
		return PageSql.bind(filtered(sql, scope, domainId), page, page.limit() + 1)
			.mapProperties(InboundEmail.class)
			.all();
	}

	/** As {@link #list}, those of the newest mails that have a text in lower case. */
	Flux<InboundEmail> find(Scope scope, @Nullable UUID domainId, String text, Page.Request page) {
		String sql = """
				select * from (select * from inbound_email where%s order by created_at desc, id desc limit :read) as newest
				 where strpos(lower(subject || ' ' || from_name || ' ' || from_email || ' '
				                    || array_to_string(to_emails || cc_emails || recipients, ' ')), :text) > 0%s
				"""
			.formatted(IN_SCOPE + filter(domainId), PageSql.of(page));
		return PageSql
			.bind(filtered(sql, scope, domainId).bind("text", text).bind("read", MAX_SEARCHED), page, page.limit() + 1)
			.mapProperties(InboundEmail.class)
			.all();
	}

	Mono<Long> count(Scope scope, @Nullable UUID domainId) {
		return filtered("select count(*) from inbound_email where" + IN_SCOPE + filter(domainId), scope, domainId)
			.mapValue(Long.class)
			.one();
	}

	/** The bodies of a mail; the caller has checked that the scope may read it. */
	Mono<InboundEmail.Text> text(Scope scope, UUID id) {
		return this.database.sql("""
				select html, text from inbound_content where inbound_email_id = :id and account_id = :account
				""").bind("id", id).bind("account", scope.account()).mapProperties(InboundEmail.Text.class).one();
	}

	/**
	 * The recipients of the envelope; the caller has checked that the scope may read the
	 * mail.
	 */
	Mono<List<String>> recipients(Scope scope, UUID id) {
		return this.database.sql("select recipients from inbound_email where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.map((row) -> List.of(Objects.requireNonNull(row.get("recipients", String[].class))))
			.one();
	}

	/** The attachments of a mail; the caller has checked that the scope may read it. */
	Flux<InboundEmail.File> files(Scope scope, UUID id) {
		return this.database
			.sql("""
					select position, filename, content_type, coalesce(size, octet_length(content)) as size from inbound_attachment
					 where inbound_email_id = :id and account_id = :account order by position
					""")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(InboundEmail.File.class)
			.all();
	}

	Mono<StoredContent> raw(Scope scope, UUID id) {
		return scoped("""
				select raw from inbound_content join inbound_email using (account_id)
				 where inbound_email_id = :id and id = :id and
				""" + IN_SCOPE, scope).bind("id", id)
			.map((row) -> new StoredContent("", "", row.get("raw", byte[].class)))
			.one();
	}

	Mono<StoredContent> content(Scope scope, UUID id, int position) {
		return scoped("""
				select filename, content_type, content from inbound_attachment join inbound_email using (account_id)
				 where inbound_email_id = :id and id = :id and position = :position and
				""" + IN_SCOPE, scope).bind("id", id)
			.bind("position", position)
			.map((row) -> new StoredContent(Objects.requireNonNull(row.get("filename", String.class)),
					Objects.requireNonNull(row.get("content_type", String.class)), row.get("content", byte[].class)))
			.one();
	}

	private static String filter(@Nullable UUID domainId) {
		return (domainId != null) ? " and domain_id = :domain" : "";
	}

	private DatabaseClient.GenericExecuteSpec filtered(String sql, Scope scope, @Nullable UUID domainId) {
		DatabaseClient.GenericExecuteSpec statement = scoped(sql, scope);
		return (domainId != null) ? statement.bind("domain", domainId) : statement;
	}

	private DatabaseClient.GenericExecuteSpec scoped(String sql, Scope scope) {
		DatabaseClient.GenericExecuteSpec statement = this.database.sql(sql).bind("account", scope.account());
		return (scope.domain() != null) ? statement.bind("only", scope.domain())
				: statement.bindNull("only", UUID.class);
	}

}
