package dev.mailroom.accept;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class DoorbellStore {

	private final DatabaseClient database;

	DoorbellStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("it says that something is due, not what")
	Mono<Void> notifyDispatcher() {
		return this.database.sql("select pg_notify('mailroom_due', '')").then();
	}

}
