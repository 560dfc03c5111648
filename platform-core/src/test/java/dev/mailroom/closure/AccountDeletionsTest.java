package dev.mailroom.closure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.Secret;
import dev.mailroom.account.SignIn;
import dev.mailroom.operator.AutoPause;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AccountDeletionsTest {

	private static final Secret PASSWORD = Secret.of(Given.PASSWORD);

	@Autowired
	AccountDeletions deletions;

	@Autowired
	Erasure erasure;

	@Autowired
	AutoPause pauses;

	@Autowired
	SignIn signIn;

	private final String email = UUID.randomUUID() + "@owner.test";

	private final Scope owner = Scope.of(Given.person(this.email));

	private final UUID account = this.owner.account();

	@Test
	void anErasedAccountLeavesNothingAndOthersKeepWhatTheyHave() {
		UUID other = Given.account("free");
		fill(this.account);
		fill(other);
		Given.run("update account set role = 'tenant' where id in ('%s', '%s')", this.account, other);
		Given.run("update account_deletion set delete_at = now() + interval '1 day' where account_id = '%s'", other);
		assertThat(Given.tablesWithRowsOf(this.account)).as("fill a new table below").isEqualTo(Given.tables());
		UUID member = UUID.fromString(
				Given.rows("select person_id from member where account_id = '%s' and person_id <> '%1$s'", this.account)
					.getFirst());
		String domain = Given.rows("select name from domain where account_id = '%s'", this.account).getFirst();
		Map<String, String> before = contents(other);
		Given.run("delete from account_deletion where account_id = '%s'", this.account);
		await(this.deletions.ask(this.owner, "Ann", PASSWORD));
		this.erasure.run();
		assertThat(Given.rows("select begun_at from account_deletion where account_id = '%s'", this.account))
			.containsExactly("null");
		due();
		this.erasure.run();
		assertThat(Given.rows("select email_key from account where id = '%s'", this.account))
			.containsExactly("deleted:" + this.account);
		assertThat(Given.rows("select id from api_key where account_id = '%s' union "
				+ "select id from session where account_id = '%1$s' union "
				+ "select id from domain where account_id = '%1$s' and status <> 'pending'", this.account))
			.isEmpty();
		UUID heir = Given.domain(other);
		Given.run("update domain set name = '%s' where id = '%s'", domain, heir);
		Given.run("delete from domain where id = '%s'", heir);
		assertThat(this.erasure.run()).as("requests may be under way").isZero();
		quiet();
		assertThat(this.erasure.run()).as("an object is in the bucket").isZero();
		assertThat(Given.tablesWithRowsOf(this.account)).isEqualTo(Set.of("account", "account_deletion", "blob_loose"));
		Given.run("delete from blob_loose where account_id = '%1$s'; insert into suppression "
				+ "values (gen_random_uuid(), '%1$s', 'late@b.test', 'manual', now())", this.account);
		assertThat(this.erasure.run()).as("a request was late").isZero();
		assertThat(this.erasure.run()).isOne();
		assertThat(this.erasure.run()).isZero();
		for (UUID gone : List.of(this.account, member)) {
			assertThat(Given.tablesWithRowsOf(gone)).isEmpty();
		}
		assertThat(contents(other)).isEqualTo(before);
		assertThat(Given.rows("select concat_ws(' ', account_id, actor_kind, act, details ?& '{asked_at,began_at}') "
				+ "from audit where target = '%s'", this.account))
			.containsExactly("operator account.erased t");
		assertThat(mails()).containsExactlyInAnyOrder("The account Ann will be deleted", "The account Ann is deleted");
	}

	@Test
	void aCancelledDeletionRestoresTheAccount() {
		Given.run("update account set paused_reason = 'spam', paused_at = '2026-01-01' where id = '%s'", this.account);
		UUID campaign = campaign(this.account, UUID.randomUUID());
		await(this.deletions.ask(this.owner, "Ann", PASSWORD));
		assertThat(paused()).startsWith("the account will be deleted on ");
		assertThat(Given.rows("select status from campaign where id = '%s'", campaign)).containsExactly("paused");
		assertThat(await(this.pauses.lift(this.owner))).isFalse();
		awaitRefusal("Invalid request data", this.deletions.ask(this.owner, "Ann", PASSWORD));
		await(this.deletions.cancel(this.owner));
		assertThat(paused()).isEqualTo("spam");
		assertThat(Given.rows("select paused_at at time zone 'UTC' from account where id = '%s'", this.account))
			.containsExactly("2026-01-01 00:00:00");
		awaitRefusal("Invalid request data", this.deletions.cancel(this.owner));
		assertThat(Given.rows("select act from audit where account_id = '%s' order by id", this.account))
			.containsExactly("account.deletion_asked", "account.deletion_cancelled");
		assertThat(mails()).containsExactlyInAnyOrder("The account Ann will be deleted", "The account Ann stays");
	}

	@Test
	void onlyTheNameAndThePasswordDeleteAnAccountOfATenant() {
		awaitRefusal("Invalid request data", this.deletions.ask(this.owner, "Bob", PASSWORD));
		awaitRefusal("Invalid request data", this.deletions.ask(this.owner, "Ann", Secret.of("wrong horse battery")));
		awaitRefusal("Invalid request data", this.deletions.ask(this.owner, "Ann", null));
		Given.run("update account set role = 'operator' where id = '%s'", this.account);
		awaitRefusal("Invalid request data", this.deletions.ask(this.owner, "Ann", PASSWORD));
		Given.run("update account set role = 'tenant', paused_reason = 'being moved to the cell us1' where id = '%s'",
				this.account);
		awaitRefusal("Invalid request data", this.deletions.ask(this.owner, "Ann", PASSWORD));
		assertThat(paused()).isEqualTo("being moved to the cell us1");
	}

	@Test
	void anErasureThatHasBegunCannotBeCancelledAndItsOwnerSignsInNoMore() {
		await(this.deletions.ask(this.owner, "Ann", PASSWORD));
		due();
		this.erasure.run();
		awaitRefusal("Invalid request data", this.deletions.cancel(this.owner));
		awaitRefusal("Unauthorized",
				this.signIn.login(new SignIn.Credentials(EmailAddress.parse(this.email).orElseThrow(), PASSWORD)));
	}

	@Test
	void anAccountThatIsMovedIsErasedInTheCellThatHasIt() {
		await(this.deletions.ask(this.owner, "Ann", PASSWORD));
		due();
		Given.run("insert into account_move (account_id, cell, phase) values ('%s', 'us1', 'following')", this.account);
		this.erasure.run();
		assertThat(Given.rows("select begun_at from account_deletion where account_id = '%s'", this.account))
			.containsExactly("null");
		Given.run("update account_move set phase = 'left' where account_id = '%s'", this.account);
		this.erasure.run();
		assertThat(Given.rows("select account_id from account_deletion where account_id = '%s'", this.account))
			.isEmpty();
		assertThat(mails()).containsExactly("The account Ann will be deleted");
		Given.run("delete from account_move where account_id = '%s'", this.account);
	}

	@Test
	void manyRowsAreErasedInSmallTransactions() {
		Scope sender = Scope.of(this.account, Given.domain(this.account), UUID.randomUUID());
		Given.run("insert into suppression select gen_random_uuid(), '%s', n || '@b.test', 'manual', now() "
				+ "from generate_series(1, 25) as n", this.account);
		for (int i = 0; i < 3; i++) {
			Given.mail(sender, "a@b.test", "b@b.test");
		}
		await(this.deletions.ask(this.owner, "Ann", PASSWORD));
		due();
		this.erasure.run();
		quiet();
		List<String> steps = Given.rows("select erase_step('%s', 10) from generate_series(1, 40)", this.account);
		assertThat(steps).contains("3", "10", "5").endsWith("0");
		assertThat(steps).allSatisfy((removed) -> assertThat(Integer.parseInt(removed)).isLessThanOrEqualTo(10));
		assertThat(Given.rows("select id from queue where account_id = '%s'", this.account)).isEmpty();
	}

	private void due() {
		Given.run("update account_deletion set delete_at = now() where account_id = '%s'", this.account);
	}

	private void quiet() {
		Given.run("update account_deletion set begun_at = now() - interval '2 minutes' where account_id = '%s'",
				this.account);
	}

	private String paused() {
		return Given.rows("select paused_reason from account where id = '%s'", this.account).getFirst();
	}

	private List<String> mails() {
		return Given.rows("select subject from email where to_emails = '{%s}'", this.email);
	}

	/** The rows of an account in each table. */
	private static Map<String, String> contents(UUID account) {
		Map<String, String> contents = new TreeMap<>();
		for (String table : new TreeSet<>(Given.tables())) {
			contents.put(table, Given.rows(
					"select count(*) || ' ' || coalesce(sum(hashtext(line::text)), 0) from %s as line where %s = '%s'",
					table, table.equals("account") ? "id" : "account_id", account)
				.getFirst());
		}
		return contents;
	}

	private static UUID campaign(UUID account, UUID book) {
		UUID id = UUID.randomUUID();
		Given.run("insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, "
				+ "contact_book_id, contact_book_name, text_content, started_at, created_at, updated_at) values "
				+ "('%1$s', '%2$s', 'r', 'running', 'a@b.test', 'a@b.test', '%3$s', 's', '%3$s', 'b', 'x', now(), now(), now())",
				id, account, book);
		return id;
	}

	/** Gives an account a row in every table. */
	static void fill(UUID account) {
		Given.rowInEveryTable(account);
		UUID domain = UUID.fromString(Given.rows("select id from domain where account_id = '%s'", account).getFirst());
		UUID mail = Given.mail(Scope.of(account, domain, UUID.randomUUID()), "b@c.test");
		UUID campaign = campaign(account, domain);
		Given.inbound(account, domain);
		Given.run(
				"""
								update email_content set outside = '{html}' where email_id = '%2$s';
								update webhook_endpoint set events = '{email.queued}' where account_id = '%1$s';
								insert into webhook_state (endpoint_id, account_id)
								select id, account_id from webhook_endpoint where account_id = '%1$s' on conflict do nothing;
								insert into event (id, account_id, kind, email_id, created_at) values (uuidv7(), '%1$s', 'email.queued', '%2$s', now());
								insert into webhook_attempt (id, account_id, delivery_id, took_ms, attempted_at)
								select uuidv7(), account_id, id, 1, now() from webhook_delivery where account_id = '%1$s';
								insert into audit (id, account_id, actor_id, actor_kind, act)
								values (uuidv7(), '%1$s', '%1$s', 'person', 'domain.created');
								insert into session (id, account_id, family_hash, secret_hash, expires_at)
								values (gen_random_uuid(), '%1$s', sha256('%1$s'), 'x', now() + interval '1 day');
								insert into one_time_token values (sha256('%1$s'), '%1$s', 'verify_email', now() + interval '1 day');
								insert into idempotency_key values ('%1$s', 'r', 'k', 'h', 200, 'a', now());
								insert into quota_use values ('%1$s', 'day', current_date, 1);
								insert into inbound_day values ('%1$s', current_date, 1);
								insert into attachment values ('%2$s', 0, '%1$s', 'x');
								insert into email_trouble values ('%2$s', '%1$s', '%3$s', 'bounced', now());
								insert into email_anchor values ('%1$s', '%3$s', 1, now(), '%2$s');
								insert into delivery_attempt values (uuidv7(), '%1$s', '%2$s', '%2$s', 1, now(), 1, 'sent', 'mx', 'h', '', '', '', '');
								insert into dead_letter values (uuidv7(), '%1$s', 'mail', 'w', '%2$s', '%2$s', now());
								insert into unexplained_refusal values ('%1$s', 'a@b.test', current_date);
								insert into tracked_link values ('%1$s', '%3$s', 'https://x.test');
								insert into reputation_day values ('%1$s', '%3$s', current_date);
								insert into reputation_cause values ('%1$s', '%3$s', current_date, 'c', 1);
								insert into provider_day values ('%1$s', '%3$s', current_date, 'gmail');
								insert into campaign_audience values ('%4$s', 1, '%3$s', '%1$s');
								insert into campaign_recipient (campaign_id, contact_id, account_id) values ('%4$s', '%3$s', '%1$s');
								insert into campaign_follow_up values ('%4$s', '%1$s') on conflict do nothing;
								insert into campaign_count values ('%4$s', '%1$s', 9) on conflict do nothing;
								insert into campaign_minute values ('%4$s', now(), 9, '%1$s');
								insert into campaign_link values ('%4$s', '%3$s', 0, '%1$s', 'https://x.test', 1);
								insert into campaign_link_person values ('%4$s', '%2$s', '%3$s', '%1$s');
								insert into account_change (account_id, name, key) values ('%1$s', 'contact', '{}');
								insert into account_move (account_id, cell, phase) values ('%1$s', 'us1', 'arrived');
								insert into blob_loose (account_id, owner_id, part, due_at) values ('%1$s', '%3$s', 'text', now() + interval '1 hour');
						""",
				account, mail, domain, campaign);
	}

}
