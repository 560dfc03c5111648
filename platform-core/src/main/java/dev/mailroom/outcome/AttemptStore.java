package dev.mailroom.outcome;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** Keeps what was tried: a group's attempts in one statement. */
@Repository
class AttemptStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	AttemptStore(DatabaseClient database, NoArgGenerator ids) {
		this.database = database;
		this.ids = ids;
	}

	@AcrossAccounts("attempts of a group, each with its own account")
	Mono<Void> insert(List<Tried> tried) {
		return tried.isEmpty() ? Mono.empty()
				: this.database
					.sql("""
							insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, outcome,
							                              transport, host, address, tls, reply, conversation)
							select * from unnest(:ids::uuid[], :accounts::uuid[], :emails::uuid[], :deliveries::uuid[],
							                     :attempts::int[], :began::timestamptz[], :took::bigint[], :outcomes::text[],
							                     :transports::text[], :hosts::text[], :addresses::text[], :tls::text[],
							                     :replies::text[], :conversations::text[])
							""")
					.bind("ids", column(tried, (_) -> this.ids.generate(), UUID[]::new))
					.bind("accounts", column(tried, (one) -> one.change().accountId(), UUID[]::new))
					.bind("emails", column(tried, (one) -> one.change().emailId(), UUID[]::new))
					.bind("deliveries", column(tried, (one) -> one.change().id(), UUID[]::new))
					.bind("attempts", column(tried, (one) -> one.change().attempt(), Integer[]::new))
					.bind("began", column(tried, (one) -> one.attempt().began(), Instant[]::new))
					.bind("took", column(tried, (one) -> one.attempt().took().toMillis(), Long[]::new))
					.bind("outcomes", column(tried, (one) -> one.change().shownOutcome(), String[]::new))
					.bind("transports", column(tried, (one) -> one.attempt().transport(), String[]::new))
					.bind("hosts", column(tried, (one) -> one.attempt().host(), String[]::new))
					.bind("addresses", column(tried, (one) -> one.attempt().address(), String[]::new))
					.bind("tls", column(tried, (one) -> one.attempt().tls(), String[]::new))
					.bind("replies", column(tried, (one) -> one.change().reply(), String[]::new))
					.bind("conversations", column(tried, (one) -> one.attempt().conversation(), String[]::new))
					.then();
	}

	Flux<Attempts.Made> list(Scope scope, UUID emailId) {
		return this.database.sql("""
				select delivery_attempt.*, delivery.recipient
				  from delivery_attempt join delivery on delivery.id = delivery_id
				 where delivery_attempt.account_id = :account and delivery_attempt.email_id = :email
				 order by delivery_attempt.id
				""").bind("account", scope.account()).bind("email", emailId).map(AttemptStore::made).all();
	}

	private static Attempts.Made made(Readable row) {
		return new Attempts.Made(value(row, "id", UUID.class), text(row, "recipient"),
				value(row, "attempt", Integer.class), value(row, "began_at", Instant.class),
				value(row, "took_ms", Long.class), text(row, "outcome"), text(row, "transport"), text(row, "host"),
				text(row, "address"), text(row, "tls"), row.get("reply", String.class),
				Said.read(text(row, "conversation")));
	}

	private static String text(Readable row, String column) {
		return value(row, column, String.class);
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

	private static <T> @Nullable T[] column(List<Tried> rows, Function<Tried, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

	/** An attempt, and what it changed. */
	record Tried(Change change, Attempt attempt) {
	}

}
