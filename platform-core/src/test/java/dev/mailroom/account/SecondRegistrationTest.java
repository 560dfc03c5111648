package dev.mailroom.account;

import java.net.InetAddress;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import dev.mailroom.ClientNetwork;
import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.Identities.Identity;
import dev.mailroom.account.SignIn.Credentials;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

/** Registrations of an address that has an account. */
@WithCore
@Execution(ExecutionMode.CONCURRENT)
class SecondRegistrationTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	private static final Secret OTHER = Secret.of("staple correct horse");

	private static final Secret THIRD = Secret.of("battery staple horse");

	private static final UnaryOperator<Context> STRANGER = ClientNetwork.context(InetAddress.ofLiteral("198.51.100.9"),
			false);

	@Autowired
	Registration registration;

	@Autowired
	AddressVerification verification;

	@Autowired
	SignIn signIn;

	@Autowired
	PasswordReset reset;

	@Autowired
	Accounts accounts;

	@Autowired
	Identities identities;

	@Autowired
	People people;

	@Autowired
	AccessTokens tokens;

	@Autowired
	Throttle throttle;

	private final EmailAddress address = EmailAddress.parse(UUID.randomUUID() + "@owner.test").orElseThrow();

	private Scope owner;

	private Secret link;

	@BeforeEach
	void register() {
		Registration.Result registered = register(PASSWORD);
		this.owner = Scope.of(registered.account().id());
		this.link = ((AccountNotice.VerifyAddress) registered.notice()).token();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "name = 'Ann'", "email_verified_at = now()", "email_verified_at = now(), role = 'operator'",
					"email_verified_at = now(), role = 'member'", "email_verified_at = now(), password_hash = null" })
	void aSecondRegistrationSignsInToAnUnverifiedAccountOfItsOwn(String owned) {
		Given.run("update account set %s where id = '%s'", owned, this.owner.account());
		Registration.Result second = register(OTHER);
		assertThat(second.notice()).isEqualTo(new AccountNotice.AlreadyRegistered(this.address.toString()));
		SignIn.Result signedIn = await(login(OTHER));
		assertThat(signedIn.account().id()).isEqualTo(second.account().id()).isNotEqualTo(this.owner.account());
		assertThat(signedIn.account().email()).isEqualTo(this.address.toString());
		assertThat(signedIn.account().emailVerified()).isFalse();
		assertThat(signedIn.account().role()).isEqualTo("tenant");
		assertThat(await(this.tokens.read(signedIn.accessToken().text())).grant())
			.isEqualTo(AccessTokens.Grant.ACCOUNT);
		assertThat(await(this.signIn.refresh(signedIn.refreshToken())).account().id()).isEqualTo(second.account().id());
	}

	@Test
	void everyRegistrationSignsInWithItsOwnPassword() {
		UUID second = register(OTHER).account().id();
		UUID third = register(THIRD).account().id();
		assertThat(account(PASSWORD)).isEqualTo(this.owner.account());
		assertThat(account(OTHER)).isEqualTo(second);
		assertThat(account(THIRD)).isEqualTo(third);
		awaitRefusal("Unauthorized", login(Secret.of("a fourth password")));
	}

	@Test
	void theSamePasswordSignsInToTheEarliestAccount() {
		register(PASSWORD);
		assertThat(account(PASSWORD)).isEqualTo(this.owner.account());
		UUID second = register(OTHER).account().id();
		register(OTHER);
		assertThat(account(OTHER)).isEqualTo(second);
		update(Scope.of(second), OTHER, THIRD);
		assertThat(account(THIRD)).isEqualTo(second);
		update(Scope.of(second), THIRD, PASSWORD);
		assertThat(account(PASSWORD)).isEqualTo(this.owner.account());
	}

	@ParameterizedTest
	@EnumSource
	void proofOfControlOfTheAddressClosesSecondRegistrations(Proof proof) {
		if (proof.verified) {
			await(this.verification.verify(AddressVerification.Request.of(this.link, null, null)));
		}
		UUID second = register(OTHER).account().id();
		register(THIRD);
		SignIn.Result signedIn = await(login(OTHER));
		Given.run("insert into sign_in_challenge (hash, account_id, expires_at) values "
				+ "(sha256('%1$s'), '%1$s', now() + interval '1 minute')", second);
		prove(proof);
		assertThat(isEmpty(this.tokens.read(signedIn.accessToken().text()))).isTrue();
		awaitRefusal("Unauthorized", this.signIn.refresh(signedIn.refreshToken()));
		awaitRefusal("Unauthorized", login(OTHER));
		awaitRefusal("Unauthorized", login(THIRD));
		assertThat(Given.rows("select id from account where id = '%s'", second)).isEmpty();
		assertThat(
				Given.rows(
						"select details->>'count' from audit join account on account.id = account_id "
								+ "where email_key = '%s' and act = 'account.registrations_closed'",
						this.address.key()))
			.containsExactly(proof.replaces ? "3" : "2");
		assertThat(register(OTHER).account().id()).as("another one").isEqualTo(account(OTHER));
	}

	private void prove(Proof proof) {
		switch (proof) {
			case LINK -> await(this.verification.verify(AddressVerification.Request.of(this.link, null, null)));
			case RESET, RESET_OF_VERIFIED -> await(this.reset.reset(PasswordReset.Request.of(resetLink(), PASSWORD)));
			case ISSUER, ISSUER_OF_VERIFIED -> await(this.identities
				.scopeOf(new Identity("https://issuer.test", this.address.toString(), this.address, "")));
			case PASSWORD_OF_VERIFIED -> update(this.owner, PASSWORD, Secret.of("another long password"));
			case OPERATOR -> await(this.accounts.ensureOperator(this.address.toString(), "another long password"));
		}
	}

	@Test
	void aNewPasswordOfAnUnverifiedAccountClosesNoOther() {
		UUID second = register(OTHER).account().id();
		update(this.owner, PASSWORD, THIRD);
		assertThat(account(OTHER)).isEqualTo(second);
	}

	@Test
	void theRemovalOfAPersonClosesSecondRegistrations() {
		Given.run("delete from member where person_id = '%s'", this.owner.account());
		Given.run("update account set role = 'member' where id = '%s'", this.owner.account());
		register(OTHER);
		SignIn.Result signedIn = await(login(OTHER));
		await(this.people.delete(this.owner.account()));
		assertThat(isEmpty(this.tokens.read(signedIn.accessToken().text()))).isTrue();
		awaitRefusal("Unauthorized", login(OTHER));
		assertThat(register(OTHER).notice()).isInstanceOf(AccountNotice.VerifyAddress.class);
	}

	@Test
	void aSecondRegistrationGetsNoLinkForItself() {
		register(OTHER);
		assertThat(await(this.registration.resend(this.address))).isInstanceOf(AccountNotice.VerifyAddress.class);
		await(this.verification.verify(AddressVerification.Request.of(this.link, null, null)));
		assertThat(isEmpty(this.registration.resend(this.address))).as("nothing to verify").isTrue();
		UUID second = register(OTHER).account().id();
		assertThat(await(this.registration.resend(this.address)))
			.isEqualTo(new AccountNotice.AlreadyRegistered(this.address.toString()));
		await(this.reset.reset(PasswordReset.Request.of(resetLink(), THIRD)));
		assertThat(account(THIRD)).isEqualTo(this.owner.account());
		assertThat(isEmpty(this.accounts.find(Scope.of(second)))).isTrue();
	}

	@Test
	void passwordsForAnAddressBeforeItsVerificationAreLimited() {
		UUID second = await(registration(Secret.of("guess number 00")).contextWrite(STRANGER)).account().id();
		for (int i = 1; i < 9; i++) {
			await(registration(Secret.of("guess number 0" + i)).contextWrite(STRANGER));
		}
		AccountUpdate change = AccountUpdate.of(null, Secret.of("guess number 00"), Secret.of("guess number 10"));
		await(this.accounts.update(Scope.of(second), change).contextWrite(STRANGER));
		awaitRefusal("Rate limit exceeded", registration(OTHER).contextWrite(STRANGER));
		AccountUpdate next = AccountUpdate.of(null, Secret.of("guess number 10"), Secret.of("guess number 11"));
		awaitRefusal("Rate limit exceeded", this.accounts.update(Scope.of(second), next).contextWrite(STRANGER));
		assertThat(account(Secret.of("guess number 10"))).isEqualTo(second);
		register(OTHER);
		Given.run("update account set email_verified_at = now() where id = '%s'", this.owner.account());
		for (Secret password : List.of(OTHER, PASSWORD)) {
			Secret before = password.equals(OTHER) ? PASSWORD : OTHER;
			await(this.accounts.update(this.owner, AccountUpdate.of(null, before, password)).contextWrite(STRANGER));
		}
	}

	@Test
	void passwordsFromTheMachineItselfAreLimitedByTheAddressAlone() {
		for (int i = 0; i < 11; i++) {
			register(Secret.of("guess number " + (10 + i)));
		}
		Given.run("update throttle set times = array_fill(now(), array[100]) where kind = 'password_all' "
				+ "and key = sha256('%s')", this.address);
		awaitRefusal("Rate limit exceeded", registration(OTHER));
	}

	@Test
	void aSignInBeforeTheVerificationDoesNotExemptItsNetworkFromLimits() {
		register(OTHER);
		await(login(OTHER).contextWrite(STRANGER));
		await(login(PASSWORD).contextWrite(STRANGER));
		Given.run("insert into throttle (kind, key, times, latest) values "
				+ "('sign_in_all', sha256('%s'), array_fill(now(), array[100]), now())", this.address);
		awaitRefusal("Rate limit exceeded", login(PASSWORD).contextWrite(STRANGER));
		Given.run("delete from throttle where key = sha256('%s')", this.address);
		Given.run("update account set email_verified_at = now() where id = '%s'", this.owner.account());
		await(login(PASSWORD).contextWrite(STRANGER));
		Given.run("insert into throttle (kind, key, times, latest) values "
				+ "('sign_in_all', sha256('%s'), array_fill(now(), array[100]), now())", this.address);
		await(login(PASSWORD).contextWrite(STRANGER));
	}

	private Registration.Result register(Secret password) {
		return await(registration(password));
	}

	private Mono<Registration.Result> registration(Secret password) {
		return this.registration.register(new Applicant(this.address, password, "Ann"));
	}

	private Mono<SignIn.Result> login(Secret password) {
		return this.signIn.login(new Credentials(this.address, password));
	}

	private UUID account(Secret password) {
		return await(login(password)).account().id();
	}

	private void update(Scope scope, Secret current, Secret next) {
		await(this.accounts.update(scope, AccountUpdate.of(null, current, next)));
	}

	private Secret resetLink() {
		return ((AccountNotice.ResetPassword) await(this.reset.forgot(this.address))).token();
	}

	/** Acts that show control of the address. */
	enum Proof {

		LINK(false, false), RESET(false, true), RESET_OF_VERIFIED(true, false), ISSUER(false, true),
		ISSUER_OF_VERIFIED(true, false), PASSWORD_OF_VERIFIED(true, false), OPERATOR(false, true);

		private final boolean verified;

		/** Whether another account takes the place of the first one. */
		private final boolean replaces;

		Proof(boolean verified, boolean replaces) {
			this.verified = verified;
			this.replaces = replaces;
		}

	}

}
