package dev.mailroom.upkeep;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the agenda: each statement reads one entry of an index. */
@Repository
@AcrossAccounts("one loop serves all accounts")
class AgendaStore {

	private final DatabaseClient database;

	AgendaStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Boolean> anyRunningCampaign() {
		return exists(this.database.sql("select exists (select from campaign where status = 'running')"));
	}

	Mono<Boolean> anyCampaignWithin(Duration time) {
		return exists(this.database.sql("""
				select exists (select from campaign
				                where status = 'scheduled' and send_at < now() + :seconds * interval '1 second')
				""").bind("seconds", time.toSeconds()));
	}

	private static Mono<Boolean> exists(DatabaseClient.GenericExecuteSpec statement) {
		return statement.mapValue(Boolean.class).one();
	}

}
