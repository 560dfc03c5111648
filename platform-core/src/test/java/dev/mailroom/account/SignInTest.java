package dev.mailroom.account;

import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.SignIn.Credentials;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.crypto.password.PasswordEncoder;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class SignInTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	/** A hash that takes the full work to compare. */
	private static final Pattern HASH = Pattern
		.compile("\\$argon2id\\$v=19\\$m=64,t=1,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}");

	private static final Secret OTHER = Secret.of("staple correct horse");

	@Autowired
	Registration registration;

	@Autowired
	SignIn signIn;

	@Autowired
	AccessTokens tokens;

	@Autowired
	Accounts accounts;

	@Autowired
	PasswordReset reset;

	@Autowired
	AccountStore store;

	@Autowired
	Sessions sessions;

	@Autowired
	Throttle throttle;

	@Autowired
	AddressProof proof;

	@Autowired
	Directory directory;

	@Autowired
	SecondFactors secondFactors;

	@Autowired
	Challenges challenges;

	@Autowired
	Members members;

	@Autowired
	Transactions transactions;

	@Autowired
	Audits audits;

	@Autowired
	NoArgGenerator ids;

	private final String address = UUID.randomUUID() + "@owner.test";

	private Scope owner;

	@BeforeEach
	void register() {
		this.owner = Scope
			.of(await(this.registration.register(Applicant.of(this.address, PASSWORD, "Ann"))).account().id());
	}

	@Test
	void anOwnerSignsInBeforeTheirAddressIsVerified() {
		SignIn.Result signedIn = login(PASSWORD);
		assertThat(signedIn.account().id()).isEqualTo(this.owner.account());
		assertThat(signedIn.lifetime()).hasMinutes(15);
		assertThat(await(this.tokens.read(signedIn.accessToken().text())).scope()).isEqualTo(this.owner);
		assertThat(signedIn.toString()).doesNotContain(signedIn.accessToken().text(), signedIn.refreshToken().text());
	}

	@Test
	void aWrongPasswordAndAnUnknownAddressHaveTheSameMessage() {
		String wrong = awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(this.address, Secret.of("no"))))
			.message();
		String unknown = awaitRefusal("Unauthorized", this.signIn.login(Credentials.of("x" + this.address, PASSWORD)))
			.message();
		assertThat(wrong).isEqualTo(unknown);
	}

	@Test
	void ofConcurrentRefreshesOneSucceedsAndTheSessionEnds() {
		SignIn.Result first = login(PASSWORD);
		List<SignIn.Result> succeeded = await(Flux.range(0, 16)
			.flatMap((_) -> this.signIn.refresh(first.refreshToken()).onErrorResume(Refused.class, (_) -> Mono.empty()),
					16)
			.collectList());
		assertThat(succeeded).hasSize(1);
		awaitRefusal("Unauthorized", this.signIn.refresh(succeeded.getFirst().refreshToken()));
		assertThat(isAccepted(first)).isFalse();
		assertThat(isAccepted(succeeded.getFirst())).isFalse();
	}

	@Test
	void aUsedRefreshTokenEndsItsSessionOnly() {
		SignIn.Result other = login(PASSWORD);
		SignIn.Result first = login(PASSWORD);
		SignIn.Result second = await(this.signIn.refresh(first.refreshToken()));
		SignIn.Result third = await(this.signIn.refresh(second.refreshToken()));
		assertThat(isAccepted(third)).isTrue();
		awaitRefusal("Unauthorized", this.signIn.refresh(first.refreshToken()));
		awaitRefusal("Unauthorized", this.signIn.refresh(third.refreshToken()));
		assertThat(isAccepted(third)).isFalse();
		assertThat(isAccepted(other)).isTrue();
	}

	@Test
	void aRefreshTokenExpiresAndAnUnknownOneEndsNoSession() {
		SignIn.Result signedIn = login(PASSWORD);
		awaitRefusal("Unauthorized", this.signIn.refresh(Secret.of("rt_garbage")));
		awaitRefusal("Unauthorized", this.signIn.refresh(Secret.of("rt_" + "a".repeat(43) + "." + "b".repeat(43))));
		assertThat(isAccepted(signedIn)).isTrue();
		Given.run("update session set expires_at = now() where account_id = '%s'", this.owner.account());
		awaitRefusal("Unauthorized", this.signIn.refresh(signedIn.refreshToken()));
	}

	@Test
	void aSessionEndsAfterNinetyDaysHoweverOftenItIsRefreshed() {
		SignIn.Result signedIn = login(PASSWORD);
		Given.run("update session set created_at = now() - interval '89 days' where account_id = '%s'",
				this.owner.account());
		SignIn.Result refreshed = await(this.signIn.refresh(signedIn.refreshToken()));
		assertThat(
				Given.rows("select expires_at = created_at + interval '90 days' from session where account_id = '%s'",
						this.owner.account()))
			.containsExactly("t");
		Given.run("update session set created_at = created_at - interval '2 days' where account_id = '%s'",
				this.owner.account());
		SignIn.Result last = await(this.signIn.refresh(refreshed.refreshToken()));
		awaitRefusal("Unauthorized", this.signIn.refresh(last.refreshToken()));
	}

	@Test
	void signingOutInvalidatesTheTokensOfOneSession() {
		SignIn.Result other = login(PASSWORD);
		SignIn.Result signedIn = login(PASSWORD);
		await(this.signIn.logout(signedIn.refreshToken()));
		await(this.signIn.logout(signedIn.refreshToken()));
		await(this.signIn.logout(Secret.of("garbage")));
		assertThat(isAccepted(signedIn)).isFalse();
		awaitRefusal("Unauthorized", this.signIn.refresh(signedIn.refreshToken()));
		assertThat(isAccepted(other)).isTrue();
	}

	@Test
	void aPasswordResetEndsAllSessionsAndReplacesThePassword() {
		SignIn.Result signedIn = login(PASSWORD);
		EmailAddress email = EmailAddress.parse(this.address).orElseThrow();
		AccountNotice.ResetPassword notice = (AccountNotice.ResetPassword) await(this.reset.forgot(email));
		assertThat(notice.to()).isEqualTo(this.address);
		PasswordReset.Request request = PasswordReset.Request.of(notice.token(), OTHER);
		await(this.reset.reset(request));
		assertThat(isAccepted(signedIn)).isFalse();
		awaitRefusal("Unauthorized", this.signIn.refresh(signedIn.refreshToken()));
		awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(this.address, PASSWORD)));
		assertThat(login(OTHER).account().emailVerified()).isTrue();
		awaitRefusal("Invalid request data", this.reset.reset(request));
		assertThat(isEmpty(this.reset.forgot(EmailAddress.parse("x" + this.address).orElseThrow()))).isTrue();
	}

	@Test
	void changingThePasswordRequiresTheCurrentOneAndEndsAllSessions() {
		SignIn.Result signedIn = login(PASSWORD);
		assertThat(awaitRefusal("Invalid request data",
				this.accounts.update(this.owner, AccountUpdate.of(null, Secret.of("wrong"), OTHER)))
			.details()).extracting(Refusal.Detail::field).containsExactly("current_password");
		assertThat(isAccepted(signedIn)).isTrue();
		assertThat(await(this.accounts.update(this.owner, AccountUpdate.of("Bea", PASSWORD, OTHER))).name())
			.isEqualTo("Bea");
		assertThat(isAccepted(signedIn)).isFalse();
		assertThat(Given.rows("select act from audit where account_id = '%s'", this.owner.account()))
			.contains("account.password_changed", "account.renamed");
		login(OTHER);
	}

	@Test
	void aSessionDoesNotStartWithAPasswordThatWasReplacedMeanwhile() {
		String hash = await(this.transactions.in(this.owner, this.store.credentials(this.owner))).passwordHash();
		assertThat(isEmpty(this.transactions.in(this.owner, this.store.lockWithPassword(this.owner, hash)))).isFalse();
		await(this.accounts.update(this.owner, AccountUpdate.of(null, PASSWORD, OTHER)));
		assertThat(isEmpty(this.transactions.in(this.owner, this.store.lockWithPassword(this.owner, hash)))).isTrue();
	}

	@Test
	void aNewPasswordMakesEarlierResetLinksInvalid() {
		EmailAddress address = EmailAddress.parse(this.address).orElseThrow();
		AccountNotice.ResetPassword mail = (AccountNotice.ResetPassword) await(this.reset.forgot(address));
		await(this.accounts.update(this.owner, AccountUpdate.of(null, PASSWORD, OTHER)));
		awaitRefusal("Invalid request data", this.reset.reset(new PasswordReset.Request(mail.token(), PASSWORD)));
		login(OTHER);
	}

	@Test
	void everySignInCostsTwoPasswordHashesWhateverAccountsTheAddressHas() {
		RecordingEncoder encoder = new RecordingEncoder();
		List<UUID> salts = new CopyOnWriteArrayList<>();
		Passwords passwords = new Passwords(encoder, (password, salt) -> {
			salts.add(salt);
			return QuickPasswords.COST.hash(password, salt);
		}, QuickPasswords.COST);
		PasswordVerifier verifier = new PasswordVerifier(this.store, passwords, this.throttle, this.proof,
				this.transactions, this.directory);
		SignIn recorded = new SignIn(this.store, this.sessions, verifier, this.challenges, this.tokens, this.members,
				new AccountSettings("free", AccountSettings.OperatorTotp.OPTIONAL), this.transactions);
		awaitRefusal("Unauthorized", recorded.login(Credentials.of(this.address, OTHER)));
		awaitRefusal("Unauthorized", recorded.login(Credentials.of("x" + this.address, OTHER)));
		Given.run("update account set password_hash = null where id = '%s'", this.owner.account());
		awaitRefusal("Unauthorized", recorded.login(Credentials.of(this.address, OTHER)));
		await(this.registration.register(Applicant.of(this.address, OTHER, "Eve")));
		await(this.registration.register(Applicant.of(this.address, Secret.of("a third password"), "Eve")));
		await(recorded.login(Credentials.of(this.address, OTHER)));
		awaitRefusal("Unauthorized", recorded.login(Credentials.of(this.address, PASSWORD)));
		passwords.destroy();
		assertThat(encoder.compared).hasSize(5).allMatch(HASH.asMatchPredicate());
		assertThat(salts).hasSize(5);
	}

	@Test
	void anOperatorWithoutARequiredSecondFactorMayOnlySetItUp() {
		Given.run("update account set role = 'operator' where id = '%s'", this.owner.account());
		AccountSettings settings = new AccountSettings("free", AccountSettings.OperatorTotp.REQUIRED);
		PasswordVerifier verifier = new PasswordVerifier(this.store, new Passwords(QuickPasswords.COST), this.throttle,
				this.proof, this.transactions, this.directory);
		SignIn required = new SignIn(this.store, this.sessions, verifier, this.challenges, this.tokens, this.members,
				settings, this.transactions);
		Accounts operators = new Accounts(this.store, verifier, this.proof, new Passwords(QuickPasswords.COST),
				this.secondFactors, this.transactions, this.audits, settings, this.ids, Clock.systemUTC());
		SignIn.Result earlier = login(PASSWORD);
		assertThat(await(this.tokens.read(earlier.accessToken().text())).grant()).as("of before the setting")
			.isEqualTo(AccessTokens.Grant.OPERATOR);
		assertThat(isEmpty(operators.findOperator(this.owner))).isTrue();
		assertThat(await(this.accounts.findOperator(this.owner)).operator()).as("without the setting").isTrue();
		assertThat(await(required.refresh(earlier.refreshToken())).enrolling()).isTrue();
		SignIn.Result before = await(required.login(Credentials.of(this.address, PASSWORD)));
		assertThat(before.enrolling()).isTrue();
		assertThat(await(this.tokens.read(before.accessToken().text())).grant())
			.isEqualTo(AccessTokens.Grant.ENROLMENT);
		Given.run("insert into second_factor (account_id, sealed_secret) values ('%s', 'x')", this.owner.account());
		assertThat(isEmpty(operators.findOperator(this.owner))).as("with an unconfirmed one").isTrue();
		Given.run("update second_factor set confirmed_at = now() where account_id = '%s'", this.owner.account());
		assertThat(await(operators.findOperator(this.owner)).id()).isEqualTo(this.owner.account());
		SignIn.Result after = await(required.refresh(before.refreshToken()));
		assertThat(after.enrolling()).isFalse();
		assertThat(await(this.tokens.read(after.accessToken().text())).grant()).isEqualTo(AccessTokens.Grant.OPERATOR);
	}

	private SignIn.Result login(Secret password) {
		return await(this.signIn.login(Credentials.of(this.address, password)));
	}

	private boolean isAccepted(SignIn.Result signedIn) {
		return !isEmpty(this.tokens.read(signedIn.accessToken().text()));
	}

	/** Argon2id that records the hashes which passwords are compared with. */
	private static final class RecordingEncoder implements PasswordEncoder {

		private final PasswordEncoder argon2 = QuickPasswords.COST.encoder();

		private final List<String> compared = new CopyOnWriteArrayList<>();

		@Override
		public String encode(CharSequence password) {
			return this.argon2.encode(password);
		}

		@Override
		public boolean matches(CharSequence password, String hash) {
			this.compared.add(hash);
			return this.argon2.matches(password, hash);
		}

	}

}
