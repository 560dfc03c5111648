package dev.mailroom.tracking;

import java.util.UUID;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of opens and clicks. */
@Repository
class EngagementStore {

	/**
	 * Matches deliveries too recent for a click by a person: mail servers check links
	 * while they accept a mail, or immediately afterwards.
	 */
	private static final String TOO_EARLY = "settled_at is null or settled_at > now() - interval '2 seconds'";

	private final DatabaseClient database;

	EngagementStore(DatabaseClient database) {
		this.database = database;
	}

	/** Counts an open; empty if the delivery no longer exists. */
	Mono<Engagements.Engagement> countOpen(Scope scope, UUID delivery, boolean person) {
		return count("open_count", "false", scope, delivery, person);
	}

	/**
	 * Counts a click; empty if the delivery no longer exists.
	 * @param evenEarly whether a click right after the delivery counts
	 */
	Mono<Engagements.Engagement> countClick(Scope scope, UUID delivery, boolean person, boolean evenEarly) {
		return count("click_count", evenEarly ? "false" : TOO_EARLY, scope, delivery, person);
	}

	private Mono<Engagements.Engagement> count(String counter, String exclusion, Scope scope, UUID delivery,
			boolean person) {
		return this.database.sql("""
				with engagement as (
				    select email_id, recipient, email.campaign_id, :person and not (%2$s) as counted
				      from delivery left join email on email.id = delivery.email_id and email.account_id = :account
				     where delivery.id = :delivery and delivery.account_id = :account),
				counted as (
				    update email set %1$s = %1$s + 1 from engagement
				     where email.id = engagement.email_id and email.account_id = :account and engagement.counted)
				select * from engagement
				""".formatted(counter, exclusion))
			.bind("account", scope.account())
			.bind("delivery", delivery)
			.bind("person", person)
			.mapProperties(Engagements.Engagement.class)
			.one();
	}

}
