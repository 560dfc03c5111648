package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL that reads deliveries and their attempts. */
@Repository
class AttemptStore {

	private final DatabaseClient database;

	AttemptStore(DatabaseClient database) {
		this.database = database;
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
				Attempts.TranscriptLine.read(text(row, "conversation")), row.get("source", String.class));
	}

	/** The deliveries of a mail. */
	@AcrossAccounts("reports name deliveries of any account")
	Flux<MessageIdMatches.Recipient> recipients(UUID email) {
		return this.database.sql("select account_id, id, recipient as address from delivery where email_id = :email")
			.bind("email", email)
			.mapProperties(MessageIdMatches.Recipient.class)
			.all();
	}

	@AcrossAccounts("reports name deliveries of any account")
	Mono<String> recipient(UUID delivery) {
		return this.database.sql("select recipient from delivery where id = :delivery")
			.bind("delivery", delivery)
			.mapValue(String.class)
			.one();
	}

}
