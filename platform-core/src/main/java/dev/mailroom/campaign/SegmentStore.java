package dev.mailroom.campaign;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Scope;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of segments. */
@Repository
class SegmentStore {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	private final DatabaseClient database;

	private final JsonMapper json;

	SegmentStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	Flux<Segment> list(Scope scope, int limit) {
		return this.database.sql("select * from segment where account_id = :account order by name limit :limit")
			.bind("account", scope.account())
			.bind("limit", limit)
			.map(this::segment)
			.all();
	}

	/** Saves a segment by its name; empty if the account has as many as it may have. */
	Mono<Segment> save(Scope scope, UUID id, String name, Object filter, int limit, Instant now) {
		return this.database.sql("""
				insert into segment (id, account_id, name, filter, created_at, updated_at)
				select :id, :account, :name, :filter::jsonb, :now, :now
				 where exists (select from segment where account_id = :account and name = :name)
				    or (select count(*) from segment where account_id = :account) < :limit
				on conflict (account_id, name) do update set filter = excluded.filter, updated_at = excluded.updated_at
				returning *
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("name", name)
			.bind("filter", this.json.writeValueAsString(filter))
			.bind("limit", limit)
			.bind("now", now)
			.map(this::segment)
			.one();
	}

	Mono<UUID> delete(Scope scope, UUID id) {
		return this.database.sql("delete from segment where id = :id and account_id = :account returning id")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(UUID.class)
			.one();
	}

	private Segment segment(Readable row) {
		return new Segment(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "name", String.class),
				Objects.requireNonNull(this.json.readValue(value(row, "filter", Json.class).asString(), OBJECT)),
				value(row, "created_at", Instant.class), value(row, "updated_at", Instant.class));
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
