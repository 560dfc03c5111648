package dev.mailroom.account;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.SignIn.Credentials;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AuthenticatorTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	private static final TestIssuer ISSUER = new TestIssuer();

	@Autowired
	Authenticator authenticator;

	@Autowired
	ApiKeys keys;

	@Autowired
	Accounts accounts;

	@Autowired
	Registration registration;

	@Autowired
	SignIn signIn;

	private final String address = UUID.randomUUID() + "@owner.test";

	@DynamicPropertySource
	static void issuer(DynamicPropertyRegistry registry) {
		registry.add("mailroom.oidc.issuer", ISSUER::issuer);
	}

	@AfterAll
	static void stop() {
		ISSUER.close();
	}

	@Test
	void anApiKeyIsACallerWithItsPermissionsOverItsDomain() {
		Scope owner = Scope.of(Given.account("free"));
		UUID domain = Given.domain(owner.account());
		ApiKey.Issued issued = await(this.keys.create(owner, domain, "a key", List.of("emails.read", "inbound.read")));
		Caller caller = await(this.authenticator.authenticate(issued.text()));
		assertThat(caller.kind()).isEqualTo(Caller.Kind.API_KEY);
		assertThat(caller.scope()).isEqualTo(Scope.of(owner.account(), domain, issued.key().id()));
		assertThat(caller.role()).isEqualTo(Caller.Role.TENANT);
		assertThat(caller.permissions()).containsExactlyInAnyOrder("emails.read", "inbound.read");
	}

	@Test
	void anAccessTokenIsAPersonWithoutPermissions() {
		UUID account = await(this.registration.register(Applicant.of(this.address, PASSWORD, "Ann"))).account().id();
		Caller caller = await(this.authenticator.authenticate(accessToken()));
		assertThat(caller.scope()).isEqualTo(Scope.of(account));
		assertThat(caller.role()).isEqualTo(Caller.Role.TENANT);
		assertThat(caller.member()).isEqualTo(MemberRole.OWNER);
		assertThat(Given.rows("select id from session where account_id = '%s'", account))
			.containsExactly(String.valueOf(caller.session()));
		assertThat(caller.isPerson()).isTrue();
		assertThat(caller.permissions()).isEmpty();
	}

	@Test
	void theAccessTokenOfAnOperatorStatesTheirRole() {
		await(this.accounts.ensureOperator(this.address, PASSWORD.text()));
		assertThat(await(this.authenticator.authenticate(accessToken())).role()).isEqualTo(Caller.Role.OPERATOR);
	}

	@Test
	void aTokenOfTheOutsideIssuerIsAPerson() {
		String token = ISSUER.token(ISSUER.claims(UUID.randomUUID().toString()));
		Caller caller = await(this.authenticator.authenticate(token));
		assertThat(caller.isPerson()).isTrue();
		assertThat(caller.role()).isEqualTo(Caller.Role.TENANT);
	}

	@Test
	void anyOtherTextIsNoCaller() {
		Stream.of("", "garbage", "ek_", "ek_aaaaaaaaaaaa_" + "a".repeat(49), "a.b.c")
			.forEach((text) -> assertThat(isEmpty(this.authenticator.authenticate(text))).as(text).isTrue());
	}

	private String accessToken() {
		return await(this.signIn.login(Credentials.of(this.address, PASSWORD))).accessToken().text();
	}

}
