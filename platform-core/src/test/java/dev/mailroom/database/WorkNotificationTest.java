package dev.mailroom.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.errorprone.annotations.FormatMethod;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import static org.assertj.core.api.Assertions.assertThat;

class WorkNotificationTest {

	private final Scope scope = Given.sender("free");

	private final AtomicInteger notified = new AtomicInteger();

	private final AtomicInteger stopped = new AtomicInteger();

	private Connection connection;

	@BeforeEach
	void listen() throws SQLException {
		this.connection = TestDatabase.connect("mailroom");
		try (Statement statement = this.connection.createStatement()) {
			statement.execute("listen mailroom_work");
			statement.execute("listen mailroom_stop");
		}
	}

	@AfterEach
	void close() throws SQLException {
		this.connection.close();
	}

	@Test
	void campaignsThatStartOrAreScheduledAndMailThatFollowsThemNotify() {
		UUID campaign = campaign("draft");
		notifies("update campaign set status = 'running' where id = '%s'", campaign);
		notifies("update campaign set status = 'scheduled', send_at = now() + interval '1 day' where id = '%s'",
				campaign);
		notifies("update campaign set send_at = now() where id = '%s'", campaign);
		notifies("insert into campaign_follow_up (campaign_id, account_id) values ('%s', '%s')", campaign,
				this.scope.account());
		Given.run("delete from campaign where id = '%s'", campaign);
		Given.run("delete from campaign_follow_up where campaign_id = '%s'", campaign);
	}

	@Test
	void holdsAndPausesNotify() {
		String domain = "held-" + this.scope.account() + ".test";
		notifies("insert into destination_hold (destination, reason, held_by, held_at) values ('%s', 'r', '%s', now())",
				domain, this.scope.account());
		notifies("update destination_hold set released_at = now() where destination = '%s'", domain);
		notifies("delete from destination_hold where destination = '%s'", domain);
		notifies("insert into queue_pause (campaign, reason, paused_by, paused_at) values (true, 'r', '%s', now())",
				this.scope.account());
		notifies("delete from queue_pause");
	}

	@Test
	void subscriptionsToConfirmAndThoseOfEndpointsNotify() {
		UUID id = UUID.randomUUID();
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
						+ "values ('%s', '%s', '%s', 'a@b.test', 'a@b.test', now(), now())",
				id, this.scope.account(), book());
		notifies("insert into confirmation (contact_id, account_id, due_at) values ('%s', '%s', now())", id,
				this.scope.account());
		notifies("insert into webhook_state (endpoint_id, account_id, subscribed_at) "
				+ "values ('%s', '%s', pg_current_snapshot())", id, this.scope.account());
		Given.run("delete from confirmation where contact_id = '%s'", id);
		Given.run("delete from webhook_state where endpoint_id = '%s'", id);
	}

	@Test
	void endpointsThatAreSwitchedOffNotify() {
		UUID id = UUID.randomUUID();
		Given.run("insert into webhook_endpoint (id, account_id, url, events, sealed_secret, created_at) "
				+ "values ('%s', '%s', 'https://a.test', '{}', '', now())", id, this.scope.account());
		notifies("update webhook_endpoint set active = false, notice_due = true where id = '%s'", id);
		Given.run("delete from webhook_endpoint where id = '%s'", id);
	}

	@Test
	void stopsOfMailNotifyBesideTheWork() {
		UUID campaign = campaign("running");
		stops("update campaign set status = 'paused' where id = '%s'", campaign);
		Given.run("delete from campaign where id = '%s'", campaign);
		stops("update account set paused_reason = 'r' where id = '%s'", this.scope.account());
		stops("insert into suppression values (gen_random_uuid(), '%s', 'a@b.test', 'manual', now())",
				this.scope.account());
		UUID contact = UUID.randomUUID();
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, subscribed, created_at, "
						+ "updated_at) values ('%s', '%s', '%s', 'a@b.test', 'a@b.test', true, now(), now())",
				contact, this.scope.account(), book());
		stops("update contact set subscribed = false where id = '%s'", contact);
		stops("delete from contact where id = '%s'", contact);
		String domain = "stopped-" + this.scope.account() + ".test";
		stops("insert into destination_hold (destination, reason, held_by, held_at) values ('%s', 'r', '%s', now())",
				domain, this.scope.account());
		Given.run("delete from destination_hold where destination = '%s'", domain);
		stops("insert into queue_pause (campaign, reason, paused_by, paused_at) values (true, 'r', '%s', now())",
				this.scope.account());
		Given.run("delete from queue_pause");
	}

	@Test
	void acceptedMailIsNot() {
		Given.mail(this.scope, "a@b.test");
		notifies("insert into queue_pause (campaign, reason, paused_by, paused_at) values (true, 'r', '%s', now())",
				this.scope.account());
		notifies("delete from queue_pause");
		assertThat(this.notified).hasValue(2);
	}

	private UUID book() {
		UUID book = UUID.randomUUID();
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'b', now(), now())", book, this.scope.account());
		return book;
	}

	private UUID campaign(String status) {
		UUID campaign = UUID.randomUUID();
		Given.run("insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, "
				+ "contact_book_id, contact_book_name, text_content, started_at, created_at, updated_at) "
				+ "values ('%s', '%s', 'c', '%s', 'a@b.test', 'a@b.test', '%s', 's', '%s', 'b', 't', now(), now(), now())",
				campaign, this.scope.account(), status, UUID.randomUUID(), book());
		return campaign;
	}

	@FormatMethod
	private void notifies(String change, Object... arguments) {
		awaitNotification(this.notified, change, arguments);
	}

	@FormatMethod
	private void stops(String change, Object... arguments) {
		awaitNotification(this.stopped, change, arguments);
	}

	@FormatMethod
	private void awaitNotification(AtomicInteger count, String change, Object... arguments) {
		int before = count.get();
		Given.run(change, arguments);
		Await.until(change, () -> {
			for (PGNotification notification : this.connection.unwrap(PGConnection.class).getNotifications()) {
				(notification.getName().equals("mailroom_work") ? this.notified : this.stopped).incrementAndGet();
			}
			return count.get() > before;
		});
	}

}
