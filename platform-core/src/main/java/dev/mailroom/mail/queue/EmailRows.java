package dev.mailroom.mail.queue;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.IdRange;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * Changes to mails as their sender sees them: status, last event, and the numbers of
 * opens and clicks. They join the caller's transaction.
 */
@Repository
public class EmailRows {

	/**
	 * Matches deliveries too recent for a person: mail servers check links and load
	 * images while they accept a mail, or immediately afterwards.
	 */
	private static final String TOO_EARLY = "settled_at is null or settled_at > now() - interval '2 seconds'";

	private final DatabaseClient database;

	EmailRows(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Sets the status of each mail from those of its deliveries, and its last event. The
	 * caller has locked deliveries of them.
	 * @param lastEvents the last event by mail
	 */
	@AcrossAccounts("workers settle deliveries of every account")
	public void updateStatus(JdbcClient jdbc, Map<UUID, String> lastEvents) {
		if (!lastEvents.isEmpty()) {
			lock(lastEvents).run(jdbc);
			updated(lastEvents).update(jdbc);
		}
	}

	/** As {@link #updateStatus(JdbcClient, Map)}, in a transaction of R2DBC. */
	@AcrossAccounts("operators requeue the mails of every account")
	public Mono<Void> updateStatus(Map<UUID, String> lastEvents) {
		return lock(lastEvents).on(this.database)
			.then()
			.then(Mono.defer(() -> updated(lastEvents).on(this.database).then()));
	}

	/** Locks the mails, so that settlements of their other recipients wait. */
	private static SqlStatement lock(Map<UUID, String> lastEvents) {
		return bind("""
				select id from email where id = any(:emails) and id between :min and :max order by id for update
				""", lastEvents);
	}

	private static SqlStatement updated(Map<UUID, String> lastEvents) {
		return bind("""
				update email
				   set status = coalesce(
				           (array['complained', 'bounced', 'failed', 'pending', 'sent', 'delivered'])[
				               (select min(array_position(array['complained', 'bounced', 'failed', 'pending', 'sent',
				                                                'delivered'], delivery.status))
				                  from delivery
				                 where delivery.email_id = email.id and delivery.email_id between :min and :max)],
				           'failed'),
				       -- without a join, which would read all mails between the first and the last one
				       last_event = (:events::text[])[array_position(:emails::uuid[], id)]
				 where id = any(:emails) and id between :min and :max
				""", lastEvents).bind("events", lastEvents.values().toArray(String[]::new));
	}

	private static SqlStatement bind(String sql, Map<UUID, String> lastEvents) {
		IdRange range = IdRange.of(lastEvents.keySet());
		return SqlStatement.of(sql)
			.bind("emails", lastEvents.keySet().toArray(UUID[]::new))
			.bind("min", range.min())
			.bind("max", range.max());
	}

	/** Counts an open or a click; empty if the delivery no longer exists. */
	public Mono<Engaged> count(Engagement engagement) {
		return counted(engagement).on(this.database).map(Engaged::of).one();
	}

	/** As {@link #count(Engagement)}, in a transaction of JDBC. */
	public Optional<Engaged> count(JdbcClient jdbc, Engagement engagement) {
		return counted(engagement).list(jdbc, Engaged::of).stream().findFirst();
	}

	private static SqlStatement counted(Engagement engagement) {
		return SqlStatement
			.of("""
					with engagement as (
					    select email_id, recipient, email.campaign_id, not (%2$s) as late
					      from delivery left join email on email.id = delivery.email_id and email.account_id = :account
					     where delivery.id = :delivery and delivery.account_id = :account),
					counted as (
					    update email set %1$s = %1$s + 1 from engagement
					     where email.id = engagement.email_id and email.account_id = :account and (%3$s)
					    returning email.id)
					select email_id, recipient, campaign_id, exists (select from counted) as counted from engagement
					""".formatted(engagement.click() ? "click_count" : "open_count", TOO_EARLY,
					engagement.counts().condition))
			.bind("account", engagement.accountId())
			.bind("delivery", engagement.delivery());
	}

	/**
	 * An open or a click.
	 *
	 * @param counts whether it is attributed to a person
	 */
	public record Engagement(UUID accountId, UUID delivery, boolean click, Counts counts) {
	}

	/** When an open or a click is attributed to a person. */
	public enum Counts {

		/** It is a program's. */
		NEVER("false"),
		/** It is a person's, also right after the delivery. */
		ALWAYS("true"),
		/** Not right after the delivery. */
		LATE("late"),
		/** Not right after the delivery, and only the first open of the mail. */
		FIRST("late and open_count = 0");

		private final String condition;

		Counts(String condition) {
			this.condition = condition;
		}

	}

	/**
	 * An open or a click that was recorded.
	 *
	 * @param campaignId the campaign of the mail; null if it belongs to none
	 * @param counted whether it was attributed to a person
	 */
	public record Engaged(UUID emailId, String recipient, @Nullable UUID campaignId, boolean counted) {

		static Engaged of(Readable row) {
			return new Engaged(value(row, "email_id", UUID.class), text(row, "recipient"),
					row.get("campaign_id", UUID.class), on(row, "counted"));
		}

	}

}
