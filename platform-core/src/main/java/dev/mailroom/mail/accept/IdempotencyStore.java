package dev.mailroom.mail.accept;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the idempotency feature. */
@Repository
@AcrossAccounts("claims of a group, each row with its own account; the policy guards the rest")
class IdempotencyStore {

	private static final String CLAIMS = """
			unnest(:accounts::uuid[], :routes::text[], :keys::text[], :values::text[])
			    as claim(account_id, route, key, value)
			""";

	private final DatabaseClient database;

	IdempotencyStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Inserts the keys that are unused or expired, and returns them. In key order, so
	 * that two groups do not deadlock.
	 */
	Flux<Claim.Name> insert(List<Map.Entry<Claim, StoredResponse>> responses) {
		return inserting(responses).on(this.database).map(IdempotencyStore::name).all();
	}

	/** Inserts keys, as {@link #insert(List)}, in a transaction of JDBC. */
	List<Claim.Name> insert(JdbcClient jdbc, List<Map.Entry<Claim, StoredResponse>> responses) {
		return inserting(responses).list(jdbc, IdempotencyStore::name);
	}

	private static SqlStatement inserting(List<Map.Entry<Claim, StoredResponse>> responses) {
		Columns<Map.Entry<Claim, StoredResponse>> columns = Columns.of(responses);
		return SqlStatement.of("""
				insert into idempotency_key (account_id, route, key, body_hash, status, answer)
				select account_id, route, key, hash, status, answer
				  from unnest(:accounts::uuid[], :routes::text[], :keys::text[], :hashes::text[], :statuses::int[],
				              :answers::text[]) as claim(account_id, route, key, hash, status, answer)
				 order by account_id, route, key
				on conflict (account_id, route, key) do update
				   set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer,
				       created_at = now()
				 where idempotency_key.created_at < now() - interval '24 hours'
				returning account_id, route, key
				""")
			.bind("accounts", columns.uuids((entry) -> entry.getKey().accountId()))
			.bind("routes", columns.texts((entry) -> entry.getKey().route()))
			.bind("keys", columns.texts((entry) -> entry.getKey().key()))
			.bind("hashes", columns.texts((entry) -> entry.getKey().bodyHash()))
			.bind("statuses", columns.integers((entry) -> entry.getValue().status()))
			.bind("answers", columns.texts((entry) -> entry.getValue().body()));
	}

	Flux<IdempotencyRecord> find(List<Claim> claims) {
		return finding(claims).on(this.database).map(IdempotencyStore::record).all();
	}

	/** Like {@link #find(List)}, without expired keys. */
	Flux<IdempotencyRecord> findCurrent(List<Claim> claims) {
		return statement("""
				select account_id, route, key, body_hash, status, answer
				  from idempotency_key join %s using (account_id, route, key)
				 where idempotency_key.created_at >= now() - interval '24 hours'
				""", claims, Function.identity(), Claim::bodyHash).on(this.database)
			.map(IdempotencyStore::record)
			.all();
	}

	/** The records of keys in a transaction of JDBC. */
	List<IdempotencyRecord> find(JdbcClient jdbc, List<Claim> claims) {
		return finding(claims).list(jdbc, IdempotencyStore::record);
	}

	private static SqlStatement finding(List<Claim> claims) {
		return statement("""
				select account_id, route, key, body_hash, status, answer
				  from idempotency_key join %s using (account_id, route, key)
				""", claims, Function.identity(), Claim::bodyHash);
	}

	Mono<Void> complete(List<Map.Entry<Claim, StoredResponse>> responses) {
		return statement(
				"""
						update idempotency_key used set status = left(claim.value, 3)::int, answer = substr(claim.value, 4) from %s
						 where (used.account_id, used.route, used.key) = (claim.account_id, claim.route, claim.key)
						""",
				responses, Map.Entry::getKey, (entry) -> entry.getValue().status() + entry.getValue().body())
			.on(this.database)
			.then();
	}

	/** Deletes keys in a transaction of JDBC. */
	void delete(JdbcClient jdbc, List<Claim> claims) {
		statement("""
				delete from idempotency_key used using %s
				 where (used.account_id, used.route, used.key) = (claim.account_id, claim.route, claim.key)
				""", claims, Function.identity(), Claim::bodyHash).update(jdbc);
	}

	private static <T> SqlStatement statement(String sql, List<T> items, Function<T, Claim> claim,
			Function<T, @Nullable String> value) {
		Columns<T> columns = Columns.of(items);
		return SqlStatement.of(sql.formatted(CLAIMS))
			.bind("accounts", columns.uuids((item) -> claim.apply(item).accountId()))
			.bind("routes", columns.texts((item) -> claim.apply(item).route()))
			.bind("keys", columns.texts((item) -> claim.apply(item).key()))
			.bind("values", columns.texts(value));
	}

	private static IdempotencyRecord record(Readable row) {
		return new IdempotencyRecord(name(row), text(row, "body_hash"),
				new StoredResponse(number(row, "status"), text(row, "answer")));
	}

	private static Claim.Name name(Readable row) {
		UUID account = Objects.requireNonNull(row.get("account_id", UUID.class));
		return new Claim.Name(account, text(row, "route"), text(row, "key"));
	}

	private static String text(Readable row, String column) {
		return Objects.requireNonNull(row.get(column, String.class));
	}

	private static int number(Readable row, String column) {
		return Objects.requireNonNull(row.get(column, Integer.class));
	}

	/** A completed request. */
	record IdempotencyRecord(Claim.Name name, String bodyHash, StoredResponse response) {
	}

}
