package dev.mailroom.tracking;

import java.util.UUID;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class EngagementStore {

	/**
	 * Servers that check a mail's links do so while they take it, or right after; nobody
	 * reads that fast.
	 */
	private static final String CHECKED = "settled_at is null or settled_at > now() - interval '2 seconds'";

	private final DatabaseClient database;

	EngagementStore(DatabaseClient database) {
		this.database = database;
	}

	/** Counts an open; empty where there is no such delivery any more. */
	Mono<Engagements.Seen> opened(Scope scope, UUID delivery, boolean person) {
		return count("open_count", "false", scope, delivery, person);
	}

	/**
	 * Counts a click; empty where there is no such delivery any more.
	 * @param played whether it counts however early it comes
	 */
	Mono<Engagements.Seen> clicked(Scope scope, UUID delivery, boolean person, boolean played) {
		return count("click_count", played ? "false" : CHECKED, scope, delivery, person);
	}

	private Mono<Engagements.Seen> count(String counter, String checked, Scope scope, UUID delivery, boolean person) {
		return this.database.sql("""
				with seen as (
				    select email_id, recipient, :person and not (%2$s) as counted from delivery
				     where id = :delivery and account_id = :account),
				counted as (
				    update email set %1$s = %1$s + 1 from seen
				     where email.id = seen.email_id and email.account_id = :account and seen.counted)
				select * from seen
				""".formatted(counter, checked))
			.bind("account", scope.account())
			.bind("delivery", delivery)
			.bind("person", person)
			.mapProperties(Engagements.Seen.class)
			.one();
	}

}
