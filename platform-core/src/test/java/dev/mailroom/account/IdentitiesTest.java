package dev.mailroom.account;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.Identities.Identity;
import dev.mailroom.account.SignIn.Credentials;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class IdentitiesTest {

	private static final String ISSUER = "https://issuer.test";

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	@Autowired
	Identities identities;

	@Autowired
	Accounts accounts;

	@Autowired
	Registration registration;

	@Autowired
	SignIn signIn;

	@Autowired
	AccessTokens tokens;

	private final String subject = UUID.randomUUID().toString();

	private final EmailAddress email = EmailAddress.parse(this.subject + "@owner.test").orElseThrow();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void concurrentFirstRequestsCreateOneAccount(boolean verified) {
		Identity identity = identity(verified ? this.email : null);
		Set<Scope> scopes = new HashSet<>(
				await(Flux.range(0, 16).flatMap((_) -> this.identities.scopeOf(identity), 16).collectList()));
		assertThat(scopes).hasSize(1);
		Account account = await(this.accounts.find(scopes.iterator().next()));
		assertThat(account.email()).isEqualTo(verified ? this.email.toString() : "");
		assertThat(account.emailVerified()).isEqualTo(verified);
		assertThat(account.name()).isEqualTo("Ann");
		assertThat(account.id().version()).isEqualTo(7);
	}

	@Test
	void theSameSubjectOfAnotherIssuerHasAnotherAccount() {
		Scope first = await(this.identities.scopeOf(identity(null)));
		Scope other = await(this.identities.scopeOf(new Identity("https://other.test", this.subject, null, "Ann")));
		assertThat(first).isNotEqualTo(other);
	}

	@Test
	void anAccountWithTheVerifiedAddressIsLinkedAndKeepsItsSessions() {
		UUID account = register();
		Given.run("update account set email_verified_at = now() where id = '%s'", account);
		SignIn.Result before = await(this.signIn.login(Credentials.of(this.email.toString(), PASSWORD)));
		assertThat(await(this.identities.scopeOf(identity(this.email)))).isEqualTo(Scope.of(account));
		assertThat(isEmpty(this.tokens.read(before.accessToken().text()))).isFalse();
	}

	@Test
	void concurrentRequestsReplaceAnUnverifiedAccountOnce() {
		UUID account = register();
		SignIn.Result before = await(this.signIn.login(Credentials.of(this.email.toString(), PASSWORD)));
		Identity identity = identity(this.email);
		Set<Scope> scopes = new HashSet<>(
				await(Flux.range(0, 8).flatMap((_) -> this.identities.scopeOf(identity), 8).collectList()));
		assertThat(scopes).hasSize(1).doesNotContain(Scope.of(account));
		assertThat(await(this.accounts.find(scopes.iterator().next())).emailVerified()).isTrue();
		assertThat(isEmpty(this.tokens.read(before.accessToken().text()))).isTrue();
		awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(this.email.toString(), PASSWORD)));
	}

	@Test
	void anAddressVerifiedLaterIsSetUnlessAnotherAccountHasVerifiedIt() {
		Scope scope = await(this.identities.scopeOf(identity(null)));
		UUID other = register();
		Given.run("update account set email_verified_at = now() where id = '%s'", other);
		assertThat(await(this.identities.scopeOf(identity(this.email)))).isEqualTo(scope);
		assertThat(await(this.accounts.find(scope)).emailVerified()).isFalse();
		Given.run("update account set email_verified_at = null where id = '%s'", other);
		assertThat(await(this.identities.scopeOf(identity(this.email)))).isEqualTo(scope);
		assertThat(await(this.accounts.find(scope)).email()).isEqualTo(this.email.toString());
		assertThat(await(this.accounts.find(scope)).emailVerified()).isTrue();
	}

	private UUID register() {
		return await(this.registration.register(Applicant.of(this.email.toString(), PASSWORD, "Eve"))).account().id();
	}

	private Identity identity(@Nullable EmailAddress verified) {
		return new Identity(ISSUER, this.subject, verified, "Ann");
	}

}
