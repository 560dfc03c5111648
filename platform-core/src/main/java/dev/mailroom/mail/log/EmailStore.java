package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of single emails, and of a page of the list. */
@Repository
class EmailStore {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	/** The account's emails; with an API key, those of its domain. */
	private static final String IN_SCOPE = " account_id = :account and (:only::uuid is null or domain_id = :only)";

	private final DatabaseClient database;

	private final JsonMapper json;

	EmailStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	Mono<Email> find(Scope scope, UUID id) {
		return scoped("select * from email where id = :id and" + IN_SCOPE, scope).bind("id", id).map(this::email).one();
	}

	Flux<Email.Recipient> recipients(Scope scope, UUID emailId) {
		return this.database.sql("""
				select recipient as email, status, reply from delivery
				 where email_id = :id and account_id = :account order by position
				""").bind("id", emailId).bind("account", scope.account()).mapProperties(Email.Recipient.class).all();
	}

	/**
	 * A page of emails, newest first: the last statement of its transaction. If an index
	 * has the order of the page, its plan is made once for each connection.
	 */
	Flux<Email> list(Scope scope, Email.Filter filter, LogQuery query) {
		DatabaseClient.GenericExecuteSpec bound = this.database.sql(query.sql(filter))
			.bind("account", scope.account())
			.bind("limit", query.limit())
			.bind("offset", query.offset());
		bound = (filter.domainId() != null) ? bound.bind("domain", filter.domainId()) : bound;
		if (filter.status() != null && query.source().bindsStatus()) {
			bound = bound.bind("status", filter.status());
		}
		Page.@Nullable Cursor from = query.from();
		Flux<Email> emails = ((from != null) ? bound.bind("created", from.createdAt()).bind("after", from.id()) : bound)
			.map(this::email)
			.all();
		return query.source().isInOrder() ? this.database.sql(Transactions.INDEX_PLANS).then().thenMany(emails)
				: emails;
	}

	private DatabaseClient.GenericExecuteSpec scoped(String sql, Scope scope) {
		DatabaseClient.GenericExecuteSpec bound = this.database.sql(sql).bind("account", scope.account());
		return (scope.domain() != null) ? bound.bind("only", scope.domain()) : bound.bindNull("only", UUID.class);
	}

	private Email email(Readable row) {
		return new Email(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), text(row, "sender"), text(row, "from_email"),
				texts(row, "to_emails"), texts(row, "cc"), texts(row, "bcc"), texts(row, "reply_to"),
				text(row, "subject"), object(row, "tags"), text(row, "stream"), text(row, "status"),
				text(row, "last_event"), row.get("scheduled_at", Instant.class),
				value(row, "open_count", Integer.class), value(row, "click_count", Integer.class),
				value(row, "created_at", Instant.class));
	}

	private Map<String, Object> object(Readable row, String column) {
		@Nullable Map<String, Object> object = this.json.readValue(value(row, column, Json.class).asString(), OBJECT);
		return (object != null) ? object : new LinkedHashMap<>();
	}

	private static String text(Readable row, String column) {
		return value(row, column, String.class);
	}

	private static List<String> texts(Readable row, String column) {
		return List.of(value(row, column, String[].class));
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
