package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of suppression lists. */
@Repository
class SuppressionStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	SuppressionStore(DatabaseClient database, NoArgGenerator ids) {
		this.database = database;
		this.ids = ids;
	}

	/**
	 * Adds addresses with their reasons; an existing entry stays as it is. The addresses
	 * are sorted: concurrent calls lock them in the same order.
	 */
	Flux<Suppression.Entered> add(Scope scope, Map<String, Suppression.Reason> reasons) {
		List<String> addresses = List.copyOf(new TreeSet<>(reasons.keySet()));
		return this.database.sql("""
				insert into suppression (id, account_id, address, reason, created_at)
				select id, :account, address, reason, now()
				  from unnest(:ids::uuid[], :addresses::text[], :reasons::text[])
				       with ordinality as entry(id, address, reason, position)
				 order by position
				on conflict (account_id, address) do update set address = excluded.address
				returning *, id = any (:ids) as added
				""")
			.bind("account", scope.account())
			.bind("ids", addresses.stream().map((_) -> this.ids.generate()).toArray(UUID[]::new))
			.bind("addresses", addresses.toArray(String[]::new))
			.bind("reasons",
					addresses.stream()
						.map((address) -> Objects.requireNonNull(reasons.get(address)).contractName())
						.toArray(String[]::new))
			.map((row) -> new Suppression.Entered(suppression(row),
					Boolean.TRUE.equals(row.get("added", Boolean.class))))
			.all();
	}

	Flux<Suppression> list(Scope scope, @Nullable String search, Page.Request page) {
		GenericExecuteSpec list = filtered(
				"select * from suppression where account_id = :account" + matching(search) + PageSql.of(page), scope,
				search);
		return PageSql.bind(list, page, page.limit() + 1).map(SuppressionStore::suppression).all();
	}

	Mono<Long> count(Scope scope, @Nullable String search) {
		return filtered("select count(*) from suppression where account_id = :account" + matching(search), scope,
				search)
			.mapValue(Long.class)
			.one();
	}

	Mono<Long> delete(Scope scope, UUID id) {
		return this.database.sql("delete from suppression where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated();
	}

	private GenericExecuteSpec filtered(String sql, Scope scope, @Nullable String search) {
		GenericExecuteSpec bound = this.database.sql(sql).bind("account", scope.account());
		return (search != null) ? bound.bind("search", search) : bound;
	}

	/** The search uses strpos, which has no wildcards to escape. */
	private static String matching(@Nullable String search) {
		return (search != null) ? " and strpos(address, lower(:search)) > 0" : "";
	}

	private static Suppression suppression(Readable row) {
		return new Suppression(required(row, "id", UUID.class), required(row, "account_id", UUID.class),
				required(row, "address", String.class),
				Suppression.Reason.of(required(row, "reason", String.class)).orElseThrow(),
				required(row, "created_at", Instant.class));
	}

	private static <T> T required(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
