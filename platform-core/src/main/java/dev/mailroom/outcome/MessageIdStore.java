package dev.mailroom.outcome;

import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class MessageIdStore {

	private final DatabaseClient database;

	MessageIdStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("a report names a mail, and no account")
	Flux<MessageIdMatch.Sent> sent(UUID email) {
		return this.database.sql("select account_id, id, recipient from delivery where email_id = :email")
			.bind("email", email)
			.mapProperties(MessageIdMatch.Sent.class)
			.all();
	}

	@AcrossAccounts("a report names a delivery of any account")
	Mono<String> recipient(UUID delivery) {
		return this.database.sql("select recipient from delivery where id = :delivery")
			.bind("delivery", delivery)
			.mapValue(String.class)
			.one();
	}

}
