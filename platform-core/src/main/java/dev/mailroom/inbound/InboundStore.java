package dev.mailroom.inbound;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class InboundStore {

	/** What the scope may see: the account's mails and, for a key, only its domain's. */
	private static final String IN_SCOPE = " account_id = :account and (:only::uuid is null or domain_id = :only)";

	private final DatabaseClient database;

	InboundStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<InboundEmail> find(Scope scope, UUID id) {
		return scoped("select * from inbound_email where id = :id and" + IN_SCOPE, scope).bind("id", id)
			.mapProperties(InboundEmail.class)
			.one();
	}

	/** One more than the page holds, to know whether the list goes on. */
	Flux<InboundEmail> list(Scope scope, @Nullable UUID domainId, Page.Request page) {
		Page.@Nullable Cursor after = page.cursor();
		String sql = "select * from inbound_email where" + IN_SCOPE + filter(domainId)
				+ ((after != null) ? " and (created_at, id) < (:created, :after)" : "")
				+ " order by created_at desc, id desc limit :limit offset :offset";
		DatabaseClient.GenericExecuteSpec bound = filtered(sql, scope, domainId).bind("limit", page.limit() + 1)
			.bind("offset", page.offset());
		return ((after != null) ? bound.bind("created", after.createdAt()).bind("after", after.id()) : bound)
			.mapProperties(InboundEmail.class)
			.all();
	}

	Mono<Long> count(Scope scope, @Nullable UUID domainId) {
		return filtered("select count(*) from inbound_email where" + IN_SCOPE + filter(domainId), scope, domainId)
			.mapValue(Long.class)
			.one();
	}

	/** What a mail that the scope may see says. */
	Mono<InboundEmail.Text> text(Scope scope, UUID id) {
		return this.database.sql("""
				select html, text from inbound_content where inbound_email_id = :id and account_id = :account
				""").bind("id", id).bind("account", scope.account()).mapProperties(InboundEmail.Text.class).one();
	}

	/** To whom the envelope of a mail that the scope may see was addressed. */
	Mono<List<String>> recipients(Scope scope, UUID id) {
		return this.database.sql("select recipients from inbound_email where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.map((row) -> List.of(Objects.requireNonNull(row.get("recipients", String[].class))))
			.one();
	}

	/** The files of a mail that the scope may see. */
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
		DatabaseClient.GenericExecuteSpec bound = scoped(sql, scope);
		return (domainId != null) ? bound.bind("domain", domainId) : bound;
	}

	private DatabaseClient.GenericExecuteSpec scoped(String sql, Scope scope) {
		DatabaseClient.GenericExecuteSpec bound = this.database.sql(sql).bind("account", scope.account());
		return (scope.domain() != null) ? bound.bind("only", scope.domain()) : bound.bindNull("only", UUID.class);
	}

}
