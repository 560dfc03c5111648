package dev.mailroom.tracking;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of tracked links. */
@Repository
class LinkStore {

	private final DatabaseClient database;

	LinkStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Inserts new targets and sets the day of last use of existing ones, in the order of
	 * their ids, which prevents deadlocks of concurrent calls.
	 */
	void insert(JdbcClient jdbc, Scope scope, List<LinkTarget> targets) {
		Columns<LinkTarget> columns = Columns.of(targets);
		SqlStatement.of("""
				insert into tracked_link (account_id, id, url)
				select :account, id, url from unnest(:ids::uuid[], :urls::text[]) as link(id, url) order by id
				on conflict (account_id, id) do update set used_on = excluded.used_on
				   where tracked_link.used_on < excluded.used_on
				""")
			.bind("account", scope.account())
			.bind("ids", columns.uuids(LinkTarget::id))
			.bind("urls", columns.texts(LinkTarget::url))
			.update(jdbc);
	}

	Mono<String> url(Scope scope, UUID id) {
		return this.database.sql("select url from tracked_link where account_id = :account and id = :id")
			.bind("account", scope.account())
			.bind("id", id)
			.mapValue(String.class)
			.one();
	}

}
