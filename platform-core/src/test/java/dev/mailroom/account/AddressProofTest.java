package dev.mailroom.account;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.AddressVerification.Request;
import dev.mailroom.account.Identities.Identity;
import dev.mailroom.account.SignIn.Credentials;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The proof of an address whose account was registered by somebody else.
 */
@WithCore
class AddressProofTest {

	private static final Secret STRANGERS = Secret.of("a stranger's password");

	private static final Secret OWNERS = Secret.of("the owner's password");

	private static final String UNVERIFIED = "an unverified account has no rows: it cannot send";

	private static final String EXPIRES = "the rows expire, and the id of their account is not used again";

	/** Tables whose rows of a deleted account remain, with the reason. */
	private static final Map<String, String> REMAIN = Map.ofEntries(
			Map.entry("audit", "the log shows what the deleted account did; retention removes it"),
			Map.entry("event", EXPIRES), Map.entry("idempotency_key", EXPIRES), Map.entry("quota_use", EXPIRES),
			Map.entry("inbound_email", EXPIRES), Map.entry("inbound_content", EXPIRES),
			Map.entry("inbound_attachment", EXPIRES), Map.entry("inbound_day", EXPIRES),
			Map.entry("blob_loose", "a job deletes the content from the bucket, and then the row"),
			Map.entry("email", UNVERIFIED), Map.entry("email_content", UNVERIFIED), Map.entry("attachment", UNVERIFIED),
			Map.entry("delivery", UNVERIFIED), Map.entry("email_count", UNVERIFIED),
			Map.entry("email_trouble", UNVERIFIED), Map.entry("email_anchor", UNVERIFIED),
			Map.entry("queue", UNVERIFIED), Map.entry("delivery_attempt", UNVERIFIED),
			Map.entry("dead_letter", UNVERIFIED), Map.entry("unexplained_refusal", UNVERIFIED),
			Map.entry("tracked_link", UNVERIFIED), Map.entry("reputation_day", UNVERIFIED),
			Map.entry("reputation_cause", UNVERIFIED), Map.entry("provider_day", UNVERIFIED),
			Map.entry("campaign_audience", UNVERIFIED), Map.entry("campaign_recipient", UNVERIFIED),
			Map.entry("campaign_follow_up", UNVERIFIED), Map.entry("campaign_count", UNVERIFIED),
			Map.entry("campaign_minute", UNVERIFIED), Map.entry("campaign_link", UNVERIFIED),
			Map.entry("campaign_link_person", UNVERIFIED),
			Map.entry("webhook_state", "an unverified account has no endpoints"),
			Map.entry("webhook_delivery", "the same"), Map.entry("webhook_delivery_count", "the same"),
			Map.entry("webhook_attempt", "the same"), Map.entry("account_move", "an unverified account is not moved"),
			Map.entry("account_change", "the same"));

	@Autowired
	Registration registration;

	@Autowired
	AddressVerification verification;

	@Autowired
	PasswordReset reset;

	@Autowired
	SignIn signIn;

	@Autowired
	Accounts accounts;

	@Autowired
	Identities identities;

	@Autowired
	Invitations invitations;

	@Autowired
	AccessTokens tokens;

	@Autowired
	ApiKeys keys;

	private final EmailAddress address = EmailAddress.parse(UUID.randomUUID() + "@owner.test").orElseThrow();

	private Scope stranger;

	private Secret link;

	@BeforeEach
	void registerAsAStranger() {
		Registration.Result registered = await(
				this.registration.register(new Applicant(this.address, STRANGERS, "Eve")));
		this.stranger = Scope.of(registered.account().id());
		this.link = ((AccountNotice.VerifyAddress) registered.notice()).token();
	}

	@ParameterizedTest
	@EnumSource
	void nothingThatAStrangerMadeSurvivesTheProofOfTheMailbox(Proof proof) {
		SignIn.Result session = login(STRANGERS);
		UUID accomplice = fillEveryTable();
		Set<String> filled = tablesWithRowsOf(this.stranger.account());
		Set<String> expected = new TreeSet<>(tables());
		expected.removeAll(REMAIN.keySet());
		assertThat(filled).as("fill a new table above, or name it as an exception").containsAll(expected);
		UUID owner = prove(proof);
		assertThat(owner).isNotEqualTo(this.stranger.account());
		assertThat(tablesWithRowsOf(this.stranger.account())).isSubsetOf(REMAIN.keySet());
		Set<String> owned = tablesWithRowsOf(owner);
		owned.removeAll(Set.of("account", "member", "audit", "identity"));
		assertThat(owned).as("what the owner starts with").isEmpty();
		assertThat(Given.rows("select count(*) from member where person_id = '%s'", accomplice)).containsExactly("0");
		assertThat(Given.rows("select name from account where id = '%s'", owner)).containsExactly("");
		assertThat(isEmpty(this.tokens.read(session.accessToken().text()))).isTrue();
		awaitRefusal("Unauthorized", this.signIn.refresh(session.refreshToken()));
		awaitRefusal("Unauthorized", this.signIn.login(new Credentials(this.address, STRANGERS)));
		awaitRefusal("Invalid request data", this.verification.verify(Request.of(this.link, null, null)));
		if (proof != Proof.ISSUER) {
			assertThat(login(OWNERS).account().id()).as("no second factor is asked for").isEqualTo(owner);
		}
	}

	private UUID prove(Proof proof) {
		switch (proof) {
			case RESET -> await(this.reset.reset(PasswordReset.Request.of(resetLink(), OWNERS)));
			case NEW_PASSWORD -> await(this.verification.verify(Request.of(this.link, null, OWNERS)));
			case NEW_PASSWORD_IN_BROWSER ->
				await(this.verification.verifyInBrowser(Request.of(this.link, null, OWNERS), null));
			case ISSUER -> await(this.identities
				.scopeOf(new Identity("https://issuer.test", this.address.toString(), this.address, "")));
			case OPERATOR -> await(this.accounts.ensureOperator(this.address.toString(), OWNERS.text()));
			case INVITATION -> await(this.invitations.accept(invitation(), OWNERS, ""));
		}
		return UUID.fromString(Given
			.rows("select id from account where email_key = '%s' and email_verified_at is not null", this.address.key())
			.getFirst());
	}

	@ParameterizedTest
	@EnumSource
	void aKeyOfTheAccountThatAStrangerMadeReachesNothingAfterTheProof(Proof proof) {
		String key = await(this.keys.createForAccount(this.stranger, MemberRole.OWNER, "k", List.of("send"), null))
			.text();
		UUID owner = prove(proof);
		assertThat(Given.rows("select account_id from api_key where account_id in ('%s', '%s')",
				this.stranger.account(), owner))
			.isEmpty();
		assertThat(isEmpty(this.keys.authenticate(key))).isTrue();
	}

	@Test
	void theProofKeepsWhatOperatorsSet() {
		Given.run(
				"update account set plan = 'pro', daily_limit = 5, monthly_limit = 50, send_rate = 2, transport = 'mx', "
						+ "paused_reason = 'spam' where id = '%s'",
				this.stranger.account());
		UUID owner = prove(Proof.RESET);
		assertThat(Given.rows("select (plan, daily_limit, monthly_limit, send_rate, transport, paused_reason) "
				+ "from account where id = '%s'", owner))
			.containsExactly("(pro,5,50,2,mx,spam)");
	}

	@ParameterizedTest
	@EnumSource
	void thePersonWhoRegisteredKeepsTheAccount(Registrant registrant) {
		UUID domain = Given.domain(this.stranger.account());
		Request request = switch (registrant) {
			case PROGRAM, SESSION -> Request.of(this.link, null, null);
			case PASSWORD -> Request.of(this.link, STRANGERS, null);
			case PASSWORD_AND_NEW_ONE -> Request.of(this.link, STRANGERS, OWNERS);
			case SESSION_WITH_NEW_PASSWORD -> Request.of(this.link, null, OWNERS);
		};
		@Nullable Scope caller = registrant.name().startsWith("SESSION") ? this.stranger : null;
		Account verified = await((registrant == Registrant.PROGRAM) ? this.verification.verify(request)
				: this.verification.verifyInBrowser(request, caller));
		assertThat(verified.id()).isEqualTo(this.stranger.account());
		assertThat(verified.emailVerified()).isTrue();
		assertThat(Given.rows("select account_id from domain where id = '%s'", domain))
			.containsExactly(verified.id().toString());
	}

	@Test
	void anUnverifiedAccountNeitherInvitesNorHasItsInvitationsAccepted() {
		awaitRefusal("Email not verified", this.invitations.invite(this.stranger, "accomplice@evil.test", "viewer"));
		UUID inviter = Given.account("free");
		Secret token = ((AccountNotice.JoinTeam) await(
				this.invitations.invite(Scope.of(inviter), UUID.randomUUID() + "@evil.test", "owner"))
			.notice()).token();
		Given.run("update account set email_verified_at = null where id = '%s'", inviter);
		awaitRefusal("Invalid request data", this.invitations.accept(token, OWNERS, ""));
	}

	@Test
	void anInvitedPersonWhoseAddressWasVerifiedKeepsTheAccount() {
		await(this.verification.verify(Request.of(this.link, null, null)));
		awaitRefusal("Duplicate member", this.invitations.accept(invitation(), OWNERS, ""));
		assertThat(login(STRANGERS).account().id()).isEqualTo(this.stranger.account());
	}

	@Test
	void aRequestOfTheStrangerInProgressReachesNoAccount() throws Exception {
		PasswordReset.Request request = PasswordReset.Request.of(resetLink(), OWNERS);
		Given.run("begin; insert into template (id, account_id, name, text_content, variables, created_at, updated_at) "
				+ "values (gen_random_uuid(), '%s', 't', 'x', '{}', now(), now())", this.stranger.account());
		CompletableFuture<Void> proof = this.reset.reset(request).toFuture();
		Given.untilBlocking("the proof waits for the request");
		Given.run("commit");
		proof.get(60, TimeUnit.SECONDS);
		assertThat(Given.rows("select id from template where account_id in ('%s', '%s')", this.stranger.account(),
				login(OWNERS).account().id()))
			.isEmpty();
	}

	/** Gives the stranger's account a row in every table that is not an exception. */
	private UUID fillEveryTable() {
		UUID account = this.stranger.account();
		UUID domain = Given.domain(account);
		UUID accomplice = Given.account("free");
		Given.run(
				"""
						update account set role = 'member' where id = '%2$s';
						update member set account_id = '%1$s' where person_id = '%2$s';
						insert into invitation (id, account_id, email, email_key, role, hash, expires_at)
						values (gen_random_uuid(), '%1$s', 'x@evil.test', 'x@evil.test', 'owner', sha256('%1$s'), now() + interval '1 day');
						insert into brand (account_id, name, updated_at) values ('%1$s', 'b', now());
						insert into second_factor (account_id, sealed_secret, confirmed_at) values ('%1$s', 'x', now());
						insert into recovery_code (account_id, hash) values ('%1$s', 'x');
						insert into sign_in_challenge (hash, account_id, expires_at)
						values (sha256('%1$s'), '%1$s', now() + interval '1 minute');
						insert into identity (issuer, subject, account_id) values ('https://evil.test', '%1$s', '%1$s');
						insert into dkim_key (id, account_id, domain_id, selector, algorithm, public_key, sealed_private_key, active,
						                      created_at)
						values (gen_random_uuid(), '%1$s', '%3$s', 's', 'rsa-sha256', 'p', 'k', true, now());
						insert into domain_warmup (domain_id, account_id, started_at, allowances) values ('%3$s', '%1$s', now(), '{1}');
						insert into api_key (id, account_id, domain_id, name, prefix, secret_hash, permissions, created_at)
						values (gen_random_uuid(), '%1$s', '%3$s', 'k', '%1$s', 'x', '{send}', now()),
						       (gen_random_uuid(), '%1$s', null, 'a', 'a%1$s', 'x', '{domains.write}', now());
						insert into device_sign_in (device_hash, code_hash, program, device, address, requested, expires_at,
						                            interval_seconds, state, account_id, person_id, key_name, permissions)
						values (sha256('d%1$s'), sha256('c%1$s'), 'p', '', '', '{}', now() + interval '10 minutes', 5,
						        'approved', '%1$s', '%1$s', 'k', '{send}');
						insert into template (id, account_id, name, text_content, variables, created_at, updated_at)
						values ('%3$s', '%1$s', 't', 'x', '{}', now(), now());
						insert into template_version (id, account_id, template_id, number, name, text_content, variables,
						                              changed_at)
						values (gen_random_uuid(), '%1$s', '%3$s', 1, 't', 'x', '{}', now());
						insert into block_document (id, account_id, template_id, document, html_hash)
						values (gen_random_uuid(), '%1$s', '%3$s', '{}', 'x');
						insert into segment values (gen_random_uuid(), '%1$s', 's', '{}', now(), now());
						insert into image (id, account_id, name, type, size, content, created_at)
						values (gen_random_uuid(), '%1$s', 'i', 'image/png', 1, 'x', now());
						insert into dmarc_report (id, account_id, domain_id, sender, org, report_id, verified, begin_at, end_at,
						                          policy, received_at)
						values ('%3$s', '%1$s', '%3$s', 's', 'o', 'r', true, now(), now(), '{}', now());
						insert into dmarc_row values ('%3$s', 1, '%1$s', '192.0.2.1', 1, 'none', true, true, 'h', 'e', '');
						insert into acme_order (id, account_id, name, began_at) values ('%3$s', '%1$s', 'x', now());
						insert into tracking_domain (id, account_id, domain_id, name, created_at)
						values ('%3$s', '%1$s', '%3$s', '%1$s.test', now());
						insert into hosted_policy values ('%3$s', '%1$s', 'testing', now());
						insert into tls_report values ('%3$s', '%1$s', '%3$s', 's', 'o', 'r', true, now(), now(), 1, 1, now());
						insert into tls_report_failure values ('%3$s', 1, '%1$s', 'sts', 'r', '', '', '', 1);
						insert into bimi_check values ('%3$s', '%1$s', 'pass', '', null, now(), now());
						insert into inbound_route values (gen_random_uuid(), '%1$s', '%3$s', 1, '*', 'mark', 'drop', true, now());
						insert into forward_target values (gen_random_uuid(), '%1$s', 'a@b.test', 'a@b.test', null, now());
						insert into contact_book (id, account_id, name, created_at, updated_at)
						values ('%3$s', '%1$s', 'b', now(), now());
						insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at)
						values ('%3$s', '%1$s', '%3$s', 'a@b.test', 'a@b.test', now(), now());
						insert into former_contact (id, account_id, contact_book_id, address_hash, unsubscribed)
						values ('%2$s', '%1$s', '%3$s', sha256('%1$s'), true);
						insert into confirmation (contact_id, account_id) values ('%3$s', '%1$s');
						insert into suppression values (gen_random_uuid(), '%1$s', 'a@b.test', 'manual', now());
						insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, contact_book_id,
						                      contact_book_name, text_content, created_at, updated_at)
						values (gen_random_uuid(), '%1$s', 'c', 'draft', 'a@b.test', 'a@b.test', '%3$s', 's', '%3$s', 'b', 'x', now(),
						        now());
						insert into webhook_endpoint (id, account_id, url, events, sealed_secret, created_at)
						values (gen_random_uuid(), '%1$s', 'https://evil.test', '{email.sent}', 'x', now());
						insert into account_note (id, account_id, author_id, note, created_at)
						values (gen_random_uuid(), '%1$s', '%1$s', 'n', now());
						""",
				account, accomplice, domain);
		return accomplice;
	}

	/** All tables with accounts; partitions count as their tables. */
	private static Set<String> tables() {
		return new TreeSet<>(Given.rows("""
				select table_name from information_schema.columns
				  join pg_class on oid = format('%%I.%%I', table_schema, table_name)::regclass
				 where table_schema = 'public' and relkind in ('r', 'p') and not relispartition
				   and (column_name = 'account_id' or (table_name = 'account' and column_name = 'id'))
				"""));
	}

	private static Set<String> tablesWithRowsOf(UUID account) {
		Set<String> found = new TreeSet<>();
		for (String table : tables()) {
			if (!Given
				.rows("select true from %s where %s = '%s' limit 1", table,
						table.equals("account") ? "id" : "account_id", account)
				.isEmpty()) {
				found.add(table);
			}
		}
		return found;
	}

	private Secret invitation() {
		return ((AccountNotice.JoinTeam) await(
				this.invitations.invite(Scope.of(Given.account("free")), this.address.toString(), "developer"))
			.notice()).token();
	}

	private Secret resetLink() {
		return ((AccountNotice.ResetPassword) await(this.reset.forgot(this.address))).token();
	}

	private SignIn.Result login(Secret password) {
		return await(this.signIn.login(new Credentials(this.address, password)));
	}

	/** Acts of an owner who did not register the account. */
	enum Proof {

		RESET, NEW_PASSWORD, NEW_PASSWORD_IN_BROWSER, ISSUER, OPERATOR, INVITATION

	}

	/** Acts of the person who registered the account. */
	enum Registrant {

		PROGRAM, SESSION, PASSWORD, PASSWORD_AND_NEW_ONE, SESSION_WITH_NEW_PASSWORD

	}

}
