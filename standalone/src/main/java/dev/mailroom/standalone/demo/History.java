package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The rows of the demo account: waits until its mail is settled, and moves times. The
 * policies of row-level security limit the connection to this account.
 */
final class History implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(5);

	private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

	/** Attempts of the call that fails, before the account is complete. */
	private static final int FAILED_CALLS = 4;

	/**
	 * Statements that make deferred deliveries and failed webhook calls due at once,
	 * except for one destination. Rows that a worker has locked are left for the next
	 * time.
	 */
	private static final List<String> RETRY_NOW = List.of("""
			update queue set ready = true, due_at = now(), first_due_at = now()
			 where id in (select id from queue where not ready and held is null and data_until is null and attempt > 0
			                 and destination <> 'slow.example' and due_at < now() + interval '1 day'
			                 for update skip locked)
			""", """
			update webhook_state set next_due_at = null
			 where endpoint_id in (select endpoint_id from webhook_state
			                        where next_due_at is not null and lease_until is null for update skip locked)
			""", """
			update webhook_delivery set due_at = now()
			 where id in (select id from webhook_delivery
			               where status = 'pending' and attempt between 1 and %1$d and due_at > now()
			                 for update skip locked)
			""".formatted(FAILED_CALLS - 1));

	private final Connection connection;

	History(DemoTarget.Database database, UUID account) throws SQLException {
		this.connection = DriverManager.getConnection("jdbc:" + database.url(), database.user(), database.password());
		run("set app.account_ids = '{" + account + "}'");
		run("set timezone = 'UTC'");
		run("create temp table planned (email_id uuid primary key, at timestamptz)");
		run("create temp table planned_campaign (campaign_id uuid primary key, started_at timestamptz, spacing interval)");
	}

	/** Plans the time at which a mail was accepted. */
	void plan(String email, Instant at) throws SQLException {
		try (PreparedStatement insert = this.connection.prepareStatement("insert into planned values (?, ?)")) {
			insert.setObject(1, UUID.fromString(email));
			insert.setTimestamp(2, Timestamp.from(at));
			insert.executeUpdate();
		}
	}

	/** Plans the start of a campaign and the time between two of its mails. */
	void planCampaign(String campaign, Instant startedAt, Duration spacing) throws SQLException {
		try (PreparedStatement insert = this.connection
			.prepareStatement("insert into planned_campaign values (?, ?, ? * interval '1 millisecond')")) {
			insert.setObject(1, UUID.fromString(campaign));
			insert.setTimestamp(2, Timestamp.from(startedAt));
			insert.setLong(3, spacing.toMillis());
			insert.executeUpdate();
		}
	}

	/** Moves the contacts into the past, before campaigns take them in this order. */
	void moveContacts() throws SQLException {
		run("""
				update contact set created_at = moved.at, updated_at = moved.at,
				       consent_at = case when consent_at is not null then moved.at end
				  from (select id, now() - interval '26 days' - interval '8 hours' * row_number() over (order by id desc)
				               / 12 as at from contact) as moved
				 where moved.id = contact.id
				""");
	}

	/** Returns how many mails of a campaign are settled. */
	int settled(String campaign) throws SQLException {
		try (Statement statement = this.connection.createStatement();
				ResultSet rows = statement
					.executeQuery("select sent + failed from campaign_count where campaign_id = '" + campaign + "'")) {
			int settled = 0;
			while (rows.next()) {
				settled += rows.getInt(1);
			}
			return settled;
		}
	}

	/** Makes deferred deliveries and calls due at once. */
	void retryNow() throws SQLException {
		for (String statement : RETRY_NOW) {
			run(statement);
		}
	}

	/**
	 * Removes the content of a scheduled mail and makes it due. It becomes a dead letter.
	 */
	void loseContent(String email) throws SQLException {
		run("delete from email_content where email_id = '" + email + "'");
		run("update queue set ready = true, due_at = now(), first_due_at = now() where email_id = '" + email + "'");
	}

	/** Waits until a campaign is sent. */
	void awaitSent(String campaign) throws SQLException, InterruptedException, IOException {
		await("the end of a campaign", "select status = 'sent' from campaign where id = '" + campaign + "'");
	}

	/**
	 * Waits until no mail outside of campaigns is due. Without the delays of retries, the
	 * mails to one destination expire. Those to another one are deferred once.
	 */
	void awaitSettled() throws SQLException, InterruptedException, IOException {
		await("the settlement of all mails", """
				select not exists (
				    select from queue where campaign_id is null and held is null
				       and case when destination = 'slow.example' then attempt = 0
				                else attempt > 0 or due_at < now() + interval '1 hour' end)
				""");
	}

	/** Waits until no mail of a paused campaign is being handed over. */
	void awaitHandedOver() throws SQLException, InterruptedException, IOException {
		await("the hand-over of the last mails", """
				select not exists (
				    select from queue where campaign_id is not null and data_until is not null)
				""");
		await("the time from which clicks are counted",
				"""
						select not exists (
						    select from delivery where status = 'delivered' and settled_at > now() - interval '2100 milliseconds')
						""");
	}

	/** Waits until webhook calls are made, and one has failed several times. */
	void awaitCalls() throws SQLException, InterruptedException, IOException {
		await("webhook calls",
				"""
						select (select coalesce(max(attempt), 0) from webhook_delivery where status = 'pending') >= %d
						   and not exists (select from webhook_delivery join webhook_endpoint on webhook_endpoint.id = endpoint_id
						                    where status = 'pending' and active and last_status is distinct from 503
						                      and url not like '%%status=503')
						"""
					.formatted(FAILED_CALLS));
	}

	/** Moves all times to those that were planned, and counts by time accordingly. */
	void moveIntoThePast() throws SQLException, IOException {
		try (InputStream script = History.class.getResourceAsStream("/demo/past.sql")) {
			if (script == null) {
				throw new IllegalStateException("The script past.sql is missing");
			}
			run("begin;\n" + new String(script.readAllBytes(), UTF_8) + "\ncommit");
		}
		run("analyze");
	}

	/** Limits the pace of a paused campaign, which the API fixes at the first start. */
	void slowDown(String campaign, int pace) throws SQLException {
		run("update campaign set pace = " + pace + " where id = '" + campaign + "'");
	}

	/**
	 * Spaces out the mails of a resumed campaign that were queued before its pace was
	 * limited. Leases that were taken before are void.
	 */
	void spaceOut(String campaign, int pace) throws SQLException {
		run("""
				update queue set ready = false, due_at = waiting.time, first_due_at = waiting.time
				  from (select id, now() + row_number() over (order by id) * interval '1 minute' / %d as time from queue
				         where campaign_id = '%s' and data_until is null) as waiting
				 where queue.id = waiting.id and queue.data_until is null
				""".formatted(pace, campaign));
	}

	/** Mails that were delivered to persons, in no particular order. */
	List<Delivered> delivered() throws SQLException {
		List<Delivered> deliveries = new ArrayList<>();
		try (Statement statement = this.connection.createStatement();
				ResultSet rows = statement.executeQuery(
						"""
								select delivery.account_id, delivery.id, email.subject, domain.name, campaign.id, campaign.name, contact_id
								  from delivery join email on email.id = email_id join domain on domain.id = domain_id
								  left join campaign on campaign.id = campaign_id
								 where delivery.status = 'delivered' and recipient not like '%@simulator.%' order by delivery.id
								""")) {
			while (rows.next()) {
				deliveries.add(new Delivered(rows.getObject(1, UUID.class), rows.getObject(2, UUID.class),
						rows.getString(3), rows.getString(4), rows.getObject(5, UUID.class), rows.getString(6),
						rows.getObject(7, UUID.class)));
			}
		}
		return deliveries;
	}

	private void await(String what, String condition) throws SQLException, InterruptedException, IOException {
		long deadline = System.nanoTime() + TIMEOUT.toNanos();
		while (!isTrue(condition)) {
			if (System.nanoTime() > deadline) {
				throw new IOException("The demo account waited too long for " + what);
			}
			retryNow();
			TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
		}
	}

	private boolean isTrue(String query) throws SQLException {
		try (Statement statement = this.connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
			return rows.next() && rows.getBoolean(1);
		}
	}

	private void run(String sql) throws SQLException {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(sql);
		}
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
	}

}
