package dev.mailroom.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class EventStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	private final JsonMapper json;

	EventStore(DatabaseClient database, NoArgGenerator ids, JsonMapper json) {
		this.database = database;
		this.ids = ids;
		this.json = json;
	}

	@AcrossAccounts("events of a group, each with its own account; the policy guards the rest")
	Mono<List<UUID>> insert(List<Event> events) {
		List<UUID> ids = events.stream().map((_) -> this.ids.generate()).toList();
		return this.database.sql("""
				insert into event (id, account_id, kind, email_id, data, created_at)
				select id, account_id, kind, email_id, data::jsonb, now()
				  from unnest(:ids::uuid[], :accounts::uuid[], :kinds::text[], :emails::uuid[], :data::text[])
				       as event(id, account_id, kind, email_id, data)
				""")
			.bind("ids", ids.toArray(UUID[]::new))
			.bind("accounts", events.stream().map(Event::accountId).toArray(UUID[]::new))
			.bind("kinds", events.stream().map(Event::kind).toArray(String[]::new))
			.bind("emails", events.stream().map(Event::emailId).toArray(UUID[]::new))
			.bind("data",
					events.stream().map((event) -> this.json.writeValueAsString(event.data())).toArray(String[]::new))
			.then()
			.thenReturn(ids);
	}

	Flux<Events.Recorded> list(Scope scope, UUID emailId, Page.Request page) {
		return this.database.sql("""
				select event.id, kind, event.created_at, %s from event %s
				 where event.account_id = :account and email_id = :email
				 order by event.id desc limit :limit offset :offset
				""".formatted(Payload.COLUMNS, Payload.JOIN))
			.bind("account", scope.account())
			.bind("email", emailId)
			.bind("limit", page.limit())
			.bind("offset", page.offset())
			.map((row) -> new Events.Recorded(Objects.requireNonNull(row.get("id", UUID.class)),
					Objects.requireNonNull(row.get("kind", String.class)), Payload.read(row, this.json),
					Objects.requireNonNull(row.get("created_at", Instant.class))))
			.all();
	}

	Mono<Long> count(Scope scope, UUID emailId) {
		return this.database.sql("select count(*) from event where account_id = :account and email_id = :email")
			.bind("account", scope.account())
			.bind("email", emailId)
			.mapValue(Long.class)
			.one();
	}

}
