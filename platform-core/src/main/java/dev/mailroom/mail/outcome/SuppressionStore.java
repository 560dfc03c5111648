package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

	private static final String NAMED = """
			from suppression where account_id = :account and (id = any(:ids) or address = any(:addresses))""";

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

	Flux<Suppression> list(Scope scope, Filter filter, Page.Request page) {
		GenericExecuteSpec list = filtered(
				"select * from suppression where account_id = :account" + filter.conditions() + PageSql.of(page), scope,
				filter);
		return PageSql.bind(list, page, page.limit() + 1).map(SuppressionStore::suppression).all();
	}

	Mono<Long> count(Scope scope, Filter filter) {
		return filtered("select count(*) from suppression where account_id = :account" + filter.conditions(), scope,
				filter)
			.mapValue(Long.class)
			.one();
	}

	Flux<Suppression> findAll(Scope scope, Suppression.Named named) {
		return rows("select * " + NAMED, scope, named);
	}

	Flux<Suppression> delete(Scope scope, Suppression.Named named) {
		return rows("delete " + NAMED + " returning *", scope, named);
	}

	private Flux<Suppression> rows(String sql, Scope scope, Suppression.Named named) {
		return this.database.sql(sql)
			.bind("account", scope.account())
			.bind("ids", named.ids().toArray(UUID[]::new))
			.bind("addresses", named.addresses().toArray(String[]::new))
			.map(SuppressionStore::suppression)
			.all();
	}

	private GenericExecuteSpec filtered(String sql, Scope scope, Filter filter) {
		GenericExecuteSpec bound = this.database.sql(sql).bind("account", scope.account());
		bound = (filter.search() != null) ? bound.bind("search", filter.search()) : bound;
		return filter.isByReason() ? bound.bind("reasons",
				filter.reasons().stream().map(Suppression.Reason::contractName).toArray(String[]::new)) : bound;
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

	/**
	 * Conditions of a list.
	 *
	 * @param search part of the address; null for all
	 */
	record Filter(@Nullable String search, Set<Suppression.Reason> reasons) {

		/** The search uses strpos, which has no wildcards to escape. */
		String conditions() {
			return ((this.search != null) ? " and strpos(address, lower(:search)) > 0" : "")
					+ (isByReason() ? " and reason = any(:reasons)" : "");
		}

		boolean isByReason() {
			return this.reasons.size() < Suppression.Reason.values().length;
		}

	}

}
