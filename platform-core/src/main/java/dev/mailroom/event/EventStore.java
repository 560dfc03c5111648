package dev.mailroom.event;

import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the event log. */
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

	/**
	 * Appends events.
	 * @return their ids, in the same order
	 */
	@AcrossAccounts("events of a group of requests; each row has its account, which row-level security checks")
	Mono<List<UUID>> insert(List<Event> events) {
		List<UUID> ids = ids(events);
		return insert(ids, events).on(this.database).then().thenReturn(ids);
	}

	/** Appends events in a transaction of JDBC. */
	@AcrossAccounts("events of a group of requests; each row has its account, which row-level security checks")
	void insert(JdbcClient jdbc, List<Event> events) {
		insert(ids(events), events).update(jdbc);
	}

	private List<UUID> ids(List<Event> events) {
		return events.stream().map((_) -> this.ids.generate()).toList();
	}

	@AcrossAccounts("events of a group of requests; each row has its account, which row-level security checks")
	private SqlStatement insert(List<UUID> ids, List<Event> events) {
		Columns<Event> columns = Columns.of(events);
		return SqlStatement.of("""
				insert into event (id, account_id, kind, email_id, data, created_at)
				select id, account_id, kind, email_id, data::jsonb, now()
				  from unnest(:ids::uuid[], :accounts::uuid[], :kinds::text[], :emails::uuid[], :data::text[])
				       as event(id, account_id, kind, email_id, data)
				""")
			.bind("ids", ids.toArray(UUID[]::new))
			.bind("accounts", columns.uuids(Event::accountId))
			.bind("kinds", columns.texts((event) -> event.kind().contractName()))
			.bind("emails", columns.uuids(Event::emailId))
			.bind("data", columns.texts((event) -> this.json.writeValueAsString(event.data())));
	}

}
