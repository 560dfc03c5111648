package dev.mailroom.account;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.SignIn.Credentials;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AccountsTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	private static final Secret OTHER = Secret.of("staple correct horse");

	@Autowired
	Accounts accounts;

	@Autowired
	Registration registration;

	@Autowired
	SignIn signIn;

	@Autowired
	AccessTokens tokens;

	private final String address = UUID.randomUUID() + "@owner.test";

	@Test
	void thePlatformAccountIsCreatedOnce() {
		await(this.accounts.ensurePlatform());
		await(this.accounts.ensurePlatform());
		Account platform = await(this.accounts.find(Scope.of(Account.PLATFORM)));
		assertThat(platform.role()).isEqualTo("platform");
		assertThat(platform.plan()).isEqualTo("unlimited");
		assertThat(platform.emailVerified()).isTrue();
	}

	@Test
	void theOperatorsAccountIsCreatedOnceAndKeepsItsPassword() {
		assertThat(await(this.accounts.ensureOperator(this.address, PASSWORD.text()))).isTrue();
		assertThat(await(this.accounts.ensureOperator(this.address, OTHER.text()))).isFalse();
		Account operator = login(PASSWORD).account();
		assertThat(operator.operator()).isTrue();
		assertThat(operator.emailVerified()).isTrue();
		awaitRefusal("Invalid request data", this.accounts.ensureOperator("x" + this.address, "short"));
	}

	@Test
	void aTenantWhoRegisteredTheOperatorsAddressLosesAccessToIt() {
		await(this.registration.register(Applicant.of(this.address, PASSWORD, "Eve")));
		SignIn.Result before = login(PASSWORD);
		assertThat(await(this.accounts.ensureOperator(this.address, OTHER.text()))).isTrue();
		assertThat(isEmpty(this.tokens.read(before.accessToken().text()))).isTrue();
		awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(this.address, PASSWORD)));
		assertThat(login(OTHER).account().operator()).isTrue();
	}

	@Test
	void anAccountIsReadAndRenamedByItsOwnScope() {
		Scope scope = Scope.of(Given.account("free"));
		assertThat(await(this.accounts.find(scope)).id()).isEqualTo(scope.account());
		assertThat(isEmpty(this.accounts.find(Scope.of(UUID.randomUUID())))).isTrue();
		assertThat(await(this.accounts.update(scope, AccountUpdate.of(" Ann ", null, null))).name()).isEqualTo("Ann");
		assertThat(await(this.accounts.update(scope, AccountUpdate.of(null, null, null))).name()).isEqualTo("Ann");
	}

	@Test
	void anAccountHasTheTimeZoneOfItsSignUpUntilItChoosesAnother() {
		Applicant applicant = Applicant.of(this.address, PASSWORD, "Ann");
		UUID id = await(this.registration.register(applicant.in("Asia/Tokyo"))).account().id();
		assertThat(await(this.accounts.find(Scope.of(id))).timeZone()).isEqualTo("Asia/Tokyo");
		assertThat(applicant.in("Mars/Olympus_Mons").timeZone()).isEqualTo("UTC");
		assertThat(applicant.in(null).timeZone()).isEqualTo("UTC");
		assertThat(await(this.accounts.setTimeZone(Scope.of(id), "Europe/Berlin")).timeZone())
			.isEqualTo("Europe/Berlin");
		for (String wrong : List.of("", "europe/berlin", "GMT0", "+02:00", "Mars/Olympus_Mons")) {
			awaitRefusal("Invalid request data", this.accounts.setTimeZone(Scope.of(id), wrong));
		}
		assertThat(await(this.accounts.find(Scope.of(id))).timeZone()).isEqualTo("Europe/Berlin");
	}

	private SignIn.Result login(Secret password) {
		return await(this.signIn.login(Credentials.of(this.address, password)));
	}

}
