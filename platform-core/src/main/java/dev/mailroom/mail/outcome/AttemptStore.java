package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.util.List;
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

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of attempts; those of a group are inserted in one statement. */
@Repository
class AttemptStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	AttemptStore(DatabaseClient database, NoArgGenerator ids) {
		this.database = database;
		this.ids = ids;
	}

	@AcrossAccounts("attempts of a group, each with its own account")
	Mono<Void> insert(List<SettledAttempt> settled) {
		return settled.isEmpty()
				? Mono.empty() : bind(
						this.database
							.sql("""
									insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, outcome,
									                              transport, host, address, tls, reply, conversation)
									select * from unnest(:ids::uuid[], :accounts::uuid[], :emails::uuid[], :deliveries::uuid[],
									                     :attempts::int[], :began::timestamptz[], :took::bigint[], :outcomes::text[],
									                     :transports::text[], :hosts::text[], :addresses::text[], :tls::text[],
									                     :replies::text[], :conversations::text[])
									""")
							.bind("ids", column(settled, (_) -> this.ids.generate(), UUID[]::new))
							.bind("accounts", column(settled, (one) -> one.delivery().accountId(), UUID[]::new))
							.bind("emails", column(settled, (one) -> one.delivery().emailId(), UUID[]::new))
							.bind("deliveries", column(settled, (one) -> one.delivery().id(), UUID[]::new))
							.bind("attempts", column(settled, (one) -> one.delivery().attempt(), Integer[]::new))
							.bind("outcomes",
									column(settled, (one) -> one.delivery().result().shown().wire(), String[]::new))
							.bind("replies", column(settled, (one) -> one.delivery().reply(), String[]::new)),
						settled.stream().map(SettledAttempt::attempt).toList())
					.then();
	}

	/**
	 * Inserts hand-overs without a reply, regardless of the present status of their
	 * deliveries, unless they were inserted before.
	 */
	@AcrossAccounts("attempts of a group, each of its delivery's account")
	Mono<Void> insertUnanswered(List<Unanswered> unanswered) {
		return unanswered.isEmpty() ? Mono.empty()
				: bind(this.database
					.sql("""
							insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, outcome,
							                              transport, host, address, tls, conversation)
							select input.id, account_id, email_id, delivery.id, input.attempt, began_at, took_ms, 'unanswered',
							       transport, host, address, tls, conversation
							  from unnest(:ids::uuid[], :deliveries::uuid[], :attempts::int[], :began::timestamptz[],
							              :took::bigint[], :transports::text[], :hosts::text[], :addresses::text[],
							              :tls::text[], :conversations::text[])
							       as input(id, delivery, attempt, began_at, took_ms, transport, host, address, tls, conversation)
							  join delivery on delivery.id = input.delivery
							 where not exists (select from delivery_attempt as stored
							                    where stored.account_id = delivery.account_id
							                      and stored.email_id = delivery.email_id
							                      and stored.delivery_id = delivery.id and stored.began_at = input.began_at)
							""")
					.bind("ids", column(unanswered, (_) -> this.ids.generate(), UUID[]::new))
					.bind("deliveries", column(unanswered, Unanswered::delivery, UUID[]::new))
					.bind("attempts", column(unanswered, Unanswered::number, Integer[]::new)),
						unanswered.stream().map(Unanswered::attempt).toList())
					.then();
	}

	private static DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec insert,
			List<Attempt> attempts) {
		return insert.bind("began", column(attempts, Attempt::began, Instant[]::new))
			.bind("took", column(attempts, (one) -> one.took().toMillis(), Long[]::new))
			.bind("transports", column(attempts, Attempt::transport, String[]::new))
			.bind("hosts", column(attempts, Attempt::host, String[]::new))
			.bind("addresses", column(attempts, Attempt::address, String[]::new))
			.bind("tls", column(attempts, Attempt::tls, String[]::new))
			.bind("conversations", column(attempts, Attempt::conversation, String[]::new));
	}

	Flux<Attempts.Made> list(Scope scope, UUID emailId) {
		return this.database.sql("""
				select delivery_attempt.*, delivery.recipient
				  from delivery_attempt join delivery on delivery.id = delivery_id and delivery.email_id = :email
				 where delivery_attempt.account_id = :account and delivery_attempt.email_id = :email
				 order by delivery_attempt.id
				""").bind("account", scope.account()).bind("email", emailId).map(AttemptStore::row).all();
	}

	private static Attempts.Made row(Readable row) {
		return new Attempts.Made(value(row, "id", UUID.class), text(row, "recipient"),
				value(row, "attempt", Integer.class), value(row, "began_at", Instant.class),
				value(row, "took_ms", Long.class), text(row, "outcome"), text(row, "transport"), text(row, "host"),
				text(row, "address"), text(row, "tls"), row.get("reply", String.class),
				TranscriptLine.read(text(row, "conversation")));
	}

	private static <R, T> @Nullable T[] column(List<R> rows, Function<R, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

	/** An attempt and the delivery that it settled. */
	record SettledAttempt(SettledDelivery delivery, Attempt attempt) {
	}

	/**
	 * A hand-over without a reply, which settled nothing.
	 *
	 * @param number number of the attempt, counted from one
	 */
	record Unanswered(UUID delivery, int number, Attempt attempt) {
	}

}
