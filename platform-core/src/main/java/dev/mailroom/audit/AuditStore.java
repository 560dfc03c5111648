package dev.mailroom.audit;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the audit log. */
@Repository
class AuditStore {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	private final DatabaseClient database;

	private final JsonMapper json;

	AuditStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	Mono<Void> insert(AuditEntry entry) {
		DatabaseClient.GenericExecuteSpec insert = this.database
			.sql("""
					insert into audit (id, account_id, actor_id, actor_kind, act, target, reason, details, ip, device, created_at)
					values (:id, :account, :actor, :kind, :act, :target, :reason, :details::jsonb, :ip, :device, :created)
					""")
			.bind("id", entry.id())
			.bind("actor", entry.actorId())
			.bind("kind", entry.actorKind())
			.bind("act", entry.act())
			.bind("target", entry.target())
			.bind("details", this.json.writeValueAsString(entry.details()))
			.bind("created", entry.createdAt());
		insert = value(insert, "account", entry.accountId(), UUID.class);
		insert = value(insert, "reason", entry.reason(), String.class);
		insert = value(insert, "ip", entry.ip(), String.class);
		return value(insert, "device", entry.device(), String.class).then();
	}

	/** A page of the entries by their ids, which are in the order of creation. */
	@AcrossAccounts("operators read the audit log of all accounts")
	Flux<AuditEntry> list(AuditEntry.Filter filter, Page.Request page) {
		return entries(this.database.sql(select("true", page)), filter, page);
	}

	/** A page of the entries of some accounts, without the notes of operators. */
	@AcrossAccounts("the people of one account have rows of their own")
	Flux<AuditEntry> list(Collection<UUID> accounts, AuditEntry.Filter filter, Page.Request page) {
		return entries(this.database.sql(select("account_id = any(:accounts) and act <> 'account.note_added'", page))
			.bind("accounts", accounts.toArray(UUID[]::new)), filter, page);
	}

	private static String select(String visible, Page.Request page) {
		return """
				select * from audit
				 where %s
				   and (:account::uuid is null or account_id = :account) and (:actor::uuid is null or actor_id = :actor)
				   and (:act::text is null or act = :act) and (:target::text is null or target = :target)
				   and (:kind::text is null or actor_kind = :kind)
				   and (:from::timestamptz is null or created_at >= :from)
				   and (:until::timestamptz is null or created_at < :until) and (:cursor::uuid is null or id %s :cursor)
				 order by id %s limit :limit
				""".formatted(visible, page.beyond(), page.direction());
	}

	private Flux<AuditEntry> entries(DatabaseClient.GenericExecuteSpec select, AuditEntry.Filter filter,
			Page.Request page) {
		Page.@Nullable Cursor cursor = page.cursor();
		DatabaseClient.GenericExecuteSpec query = select.bind("limit", page.limit() + 1);
		query = value(query, "account", filter.account(), UUID.class);
		query = value(query, "actor", filter.actor(), UUID.class);
		query = value(query, "act", filter.act(), String.class);
		query = value(query, "target", filter.target(), String.class);
		query = value(query, "kind", filter.actorKind(), String.class);
		query = value(query, "from", filter.from(), Instant.class);
		query = value(query, "until", filter.until(), Instant.class);
		return value(query, "cursor", (cursor != null) ? cursor.id() : null, UUID.class).map(this::entry).all();
	}

	private AuditEntry entry(Readable row) {
		Map<String, Object> details = Objects
			.requireNonNull(this.json.readValue(required(row, "details", Json.class).asString(), OBJECT), "details");
		return new AuditEntry(required(row, "id", UUID.class), row.get("account_id", UUID.class),
				required(row, "actor_id", UUID.class), required(row, "actor_kind", String.class),
				required(row, "act", String.class), required(row, "target", String.class),
				row.get("reason", String.class), details, row.get("ip", String.class), row.get("device", String.class),
				required(row, "created_at", Instant.class));
	}

	private static <T> DatabaseClient.GenericExecuteSpec value(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	private static <T> T required(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
