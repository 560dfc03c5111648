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
		UUID accomplice = Given.rowInEveryTable(this.stranger.account());
		Set<String> filled = Given.tablesWithRowsOf(this.stranger.account());
		Set<String> expected = new TreeSet<>(Given.tables());
		expected.removeAll(REMAIN.keySet());
		assertThat(filled).as("fill a new table above, or name it as an exception").containsAll(expected);
		UUID owner = prove(proof);
		assertThat(owner).isNotEqualTo(this.stranger.account());
		assertThat(Given.tablesWithRowsOf(this.stranger.account())).isSubsetOf(REMAIN.keySet());
		Set<String> owned = Given.tablesWithRowsOf(owner);
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
