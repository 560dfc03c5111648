package dev.mailroom.upkeep;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Emails;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class RetentionTest {

	@Autowired
	Retention retention;

	@Autowired
	Emails emails;

	@Autowired
	MailRemovalStore store;

	@Autowired
	JdbcTransactions transactions;

	private final Scope scope = Given.sender("free");

	@Test
	void theContentOfAMailIsRemovedBeforeTheMail() {
		UUID old = mail(32, "done");
		UUID young = mail(29, "done");
		UUID waiting = mail(32, "queued");
		removeExpired();
		assertThat(Given.rows("select email_id from email_content where account_id = '%s'", this.scope.account()))
			.containsExactlyInAnyOrder(young.toString(), waiting.toString());
		assertThat(Given.rows("select email_id from attachment where account_id = '%s'", this.scope.account()))
			.containsExactlyInAnyOrder(young.toString(), waiting.toString());
		assertThat(this.emails.find(this.scope, old).block(Duration.ofSeconds(20)).recipients()).hasSize(1);
	}

	@Test
	void anExpiredFinishedMailIsRemovedCompletelyAndTotalsAreUpdated() {
		UUID old = mail(92, "done");
		UUID young = mail(89, "done");
		UUID waiting = mail(92, "queued");
		assertThat(total()).isEqualTo(3);
		removeExpired();
		for (String table : new String[] { "email_content", "attachment", "delivery", "event", "delivery_attempt" }) {
			assertThat(Given.rows("select email_id from %s where email_id = '%s'", table, old)).as(table).isEmpty();
		}
		assertThat(Given.rows("select id from email where account_id = '%s'", this.scope.account()))
			.containsExactlyInAnyOrder(young.toString(), waiting.toString());
		assertThat(total()).isEqualTo(2);
		assertThat(Given.rows("select sum(count) from email_count where account_id = '%s'", this.scope.account()))
			.containsExactly("2");
		assertThat(Given.rows("select email_id from event where account_id = '%s'", this.scope.account()))
			.containsExactly(young.toString());
	}

	@Test
	void aMailThatIsRequeuedDuringItsRemovalIsKept() {
		UUID mail = mail(92, "done");
		CompletableFuture<Long> removal;
		Given.run("begin; update delivery set settled_at = null where email_id = '%s'", mail);
		try {
			removal = CompletableFuture.supplyAsync(this.retention::removeExpired);
			Given.untilBlocking("the removal waits for the delivery");
		}
		finally {
			Given.run("commit");
		}
		removal.join();
		assertThat(Given.rows("select email_id from delivery where email_id = '%s'", mail)).hasSize(1);
		assertThat(Given.rows("select id from email where id = '%s'", mail)).hasSize(1);
	}

	@Test
	void expiredKeysAndTokensAreRemoved() {
		Given.run(
				"insert into idempotency_key values ('%1$s', 'POST /a', 'old', '', 200, '', now() - interval '25 hours'), "
						+ "('%1$s', 'POST /a', 'new', '', 200, '', now())",
				this.scope.account());
		Given.run("insert into one_time_token values ('\\x%2$s', '%1$s', 'verify_email', now() - interval '1 hour')",
				this.scope.account(), this.scope.account().toString().replace("-", ""));
		removeExpired();
		assertThat(Given.rows("select key from idempotency_key where account_id = '%s'", this.scope.account()))
			.containsExactly("new");
		assertThat(Given.rows("select account_id from one_time_token where account_id = '%s'", this.scope.account()))
			.isEmpty();
	}

	@Test
	void oneCallRemovesMoreKeysThanTheBatchesOfARound() {
		Given
			.run("insert into idempotency_key select '%s', 'POST /a', number, '', 200, '', now() - interval '25 hours' "
					+ "from generate_series(1, 25100) as number", this.scope.account());
		removeExpired();
		assertThat(Given.rows("select key from idempotency_key where account_id = '%s'", this.scope.account()))
			.isEmpty();
	}

	@Test
	void nothingIsRemovedWhileAnAccountIsBeingMovedToThisCell() {
		Given.run("insert into campaign_recipient (campaign_id, contact_id, account_id) "
				+ "values (gen_random_uuid(), gen_random_uuid(), '%s')", this.scope.account());
		String rows = "select contact_id from campaign_recipient where account_id = '%s'";
		Given.run("update account set email_key = 'moving:' || id where id = '%s'", this.scope.account());
		removeExpired();
		assertThat(Given.rows(rows, this.scope.account())).hasSize(1);
		Given.run("update account set email_key = id where id = '%s'", this.scope.account());
		removeExpired();
		assertThat(Given.rows(rows, this.scope.account())).isEmpty();
	}

	@Test
	void oneCallRemovesTheRecipientsOfSeveralCampaigns() {
		Given.run(
				"insert into campaign_recipient (campaign_id, contact_id, account_id) "
						+ "select gen_random_uuid(), gen_random_uuid(), '%s' from generate_series(1, 3)",
				this.scope.account());
		removeExpired();
		assertThat(
				Given.rows("select contact_id from campaign_recipient where account_id = '%s'", this.scope.account()))
			.isEmpty();
	}

	@Test
	void recipientsOfADeletedCampaignAreRemovedWithTheLinksThatTheyClicked() {
		UUID campaign = UUID.randomUUID();
		Given.run("insert into campaign_recipient (campaign_id, contact_id, account_id, email_id) "
				+ "values ('%1$s', '%1$s', '%2$s', '%1$s')", campaign, this.scope.account());
		Given.run("insert into campaign_link_person (campaign_id, email_id, link_id, account_id) "
				+ "values ('%1$s', '%1$s', '%1$s', '%2$s')", campaign, this.scope.account());
		removeExpired();
		for (String table : new String[] { "campaign_recipient", "campaign_link_person" }) {
			assertThat(Given.rows("select account_id from %s where campaign_id = '%s'", table, campaign)).as(table)
				.isEmpty();
		}
	}

	@Test
	void entriesOfTheAuditLogAreRemovedAfterTwoYearsAndTheAppsCannotRemoveYoungOnes() {
		audit("731 days");
		UUID young = audit("729 days");
		UUID today = audit("0 days");
		removeExpired();
		assertThat(Given.rows("select id from audit where account_id = '%s' order by id", this.scope.account()))
			.containsExactly(young.toString(), today.toString());
		Given.run("""
				begin;
				create role bypasses_policies superuser;
				alter function remove_audit owner to bypasses_policies;
				select remove_audit('ffffffff-ffff-7fff-bfff-ffffffffffff', 1000);
				reassign owned by bypasses_policies to current_user;
				drop role bypasses_policies;
				""");
		assertThat(Given.rows("select id from audit where account_id = '%s'", this.scope.account()))
			.as("whoever owns the function")
			.containsExactly(today.toString());
		Given.run("rollback; select remove_audit('ffffffff-ffff-7fff-bfff-ffffffffffff', 1000)");
		assertThat(Given.rows("select id from audit where account_id = '%s'", this.scope.account()))
			.containsExactly(today.toString());
	}

	@Test
	void aStepThatFailsDoesNotKeepTheOthersFromTheirWork() {
		Given.run(
				"insert into idempotency_key values ('%s', 'POST /a', 'old', '', 200, '', now() - interval '25 hours')",
				this.scope.account());
		UUID old = mail(32, "done");
		Given.run("begin; lock table email_content in access exclusive mode");
		try {
			removeExpired();
		}
		finally {
			Given.run("commit");
		}
		assertThat(Given.rows("select key from idempotency_key where account_id = '%s'", this.scope.account()))
			.isEmpty();
		assertThat(Given.rows("select email_id from email_content where email_id = '%s'", old)).hasSize(1);
		removeExpired();
		assertThat(Given.rows("select email_id from email_content where email_id = '%s'", old)).isEmpty();
	}

	@Test
	void aWalkContinuesAfterTheMailsThatItHasSeen() {
		UUID first = mail(400, "done");
		mail(400, "queued");
		UUID second = mail(400, "done");
		UUID before = old(399);
		MailRemovalStore.Walked one = page(old(401), before, 1);
		assertThat(one.finished()).containsExactly(first);
		assertThat(one.next()).isEqualTo(first);
		MailRemovalStore.Walked two = page(first, before, 1);
		assertThat(two.finished()).containsExactly(second);
		assertThat(page(second, before, 1)).satisfies((end) -> {
			assertThat(end.finished()).isEmpty();
			assertThat(end.next()).isNull();
		});
		removeExpired();
	}

	private MailRemovalStore.Walked page(UUID after, UUID before, int limit) {
		return this.transactions.acrossAccounts((jdbc) -> this.store.mails(jdbc, after, before, limit));
	}

	@Test
	void dueMailOfAnAccountFailsAWeekAfterItsSuspension() {
		UUID ready = Given.mail(this.scope, "b@c.test");
		UUID held = Given.mail(this.scope, "b@c.test");
		Given.run("update queue set ready = false, held = 'destination' where email_id = '%s'", held);
		UUID later = Given.mail(this.scope, "b@c.test");
		Given.due(later, "1 hour");
		suspend("6 days");
		removeExpired();
		assertThat(status(ready)).isEqualTo("pending");
		suspend("8 days");
		removeExpired();
		assertThat(status(ready)).isEqualTo(status(held)).isEqualTo("failed");
		assertThat(status(later)).isEqualTo("pending");
		assertThat(Given.rows("select reply from delivery where email_id = '%s'", ready))
			.containsExactly("The account has been suspended for 7 days");
		assertThat(Given.rows("select kind || ' ' || (data -> 'failed' ->> 'reason') from event where email_id = '%s'",
				ready))
			.containsExactly("email.failed The account has been suspended for 7 days");
		assertThat(Given.rows("select status || ' ' || last_event from email where id = '%s'", ready))
			.containsExactly("failed failed");
		assertThat(Given.rows("select id from queue where account_id = '%s'", this.scope.account())).hasSize(1);
	}

	private void suspend(String ago) {
		Given.run("update account set paused_reason = 'spam', paused_at = now() - interval '%s' where id = '%s'", ago,
				this.scope.account());
	}

	private static String status(UUID mail) {
		return Given.rows("select status from delivery where email_id = '%s'", mail).getFirst();
	}

	private UUID audit(String age) {
		UUID id = UUID.fromString(Given
			.rows("select (lpad(to_hex((extract(epoch from now() - interval '%s') * 1000)::bigint), 12, '0') "
					+ "|| '7000' || substr(md5(random()::text), 1, 16))::uuid", age)
			.getFirst());
		Given.run(
				"insert into audit (id, account_id, actor_id, actor_kind, act, created_at) values "
						+ "('%1$s', '%2$s', '%2$s', 'person', 'account.renamed', now() - interval '%3$s')",
				id, this.scope.account(), age);
		return id;
	}

	private long total() {
		return this.emails.list(this.scope, new Email.Filter(null, null), new Page.Request(1, 50))
			.block(Duration.ofSeconds(20))
			.total();
	}

	private void removeExpired() {
		this.retention.removeExpired();
	}

	/** A mail of the given age, with an attachment, an event and an attempt. */
	private UUID mail(int days, String phase) {
		UUID made = Given.mail(this.scope, "b@c.test");
		UUID id = old(days);
		Given.run("update email set id = '%2$s', created_at = now() - interval '%3$s days' where id = '%1$s'", made, id,
				days);
		Given.run("update email_content set email_id = '%2$s' where email_id = '%1$s'", made, id);
		Given.run("update queue set email_id = '%2$s' where email_id = '%1$s'", made, id);
		Given.run("update delivery set email_id = '%2$s' where email_id = '%1$s'", made, id);
		if (phase.equals("done")) {
			Given.run("delete from queue where email_id = '%1$s'; "
					+ "update delivery set settled_at = now() where email_id = '%1$s'", id);
		}
		Given.run("insert into attachment values ('%s', 0, '%s', 'file')", id, this.scope.account());
		Given.run("insert into event (id, account_id, kind, email_id, created_at) "
				+ "values ('%s', '%s', 'email.sent', '%s', now())", old(days), this.scope.account(), id);
		Given.run(
				"insert into delivery_attempt values ('%s', '%s', '%s', '%s', 1, now(), 1, 'sent', '', '', '', '', null, '')",
				old(days), this.scope.account(), id, UUID.randomUUID());
		return id;
	}

	private static UUID old(int days) {
		long millis = Instant.now().minus(Duration.ofDays(days)).toEpochMilli();
		return new UUID(millis << 16 | 0x7000, UUID.randomUUID().getLeastSignificantBits());
	}

}
