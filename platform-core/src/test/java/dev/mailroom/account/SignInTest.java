package dev.mailroom.account;

import java.util.List;
import java.util.UUID;

import dev.mailroom.CoreTest;
import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class SignInTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

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

	private final String address = UUID.randomUUID() + "@owner.test";

	private Scope owner;

	@BeforeEach
	void register() {
		this.owner = Scope
			.of(await(this.registration.register(Applicant.of(this.address, PASSWORD, "Ann"))).account().id());
	}

	@Test
	void anOwnerSignsInBeforeTheirAddressIsVerified() {
		SignedIn signedIn = login(PASSWORD);
		assertThat(signedIn.account().id()).isEqualTo(this.owner.account());
		assertThat(signedIn.lifetime()).hasMinutes(15);
		assertThat(await(this.tokens.read(signedIn.accessToken().text())).scope()).isEqualTo(this.owner);
		assertThat(signedIn.toString()).doesNotContain(signedIn.accessToken().text(), signedIn.refreshToken().text());
	}

	@Test
	void aWrongPasswordAndAnUnknownAddressAreOneAnswer() {
		String wrong = awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(this.address, Secret.of("no"))))
			.message();
		String unknown = awaitRefusal("Unauthorized", this.signIn.login(Credentials.of("x" + this.address, PASSWORD)))
			.message();
		assertThat(wrong).isEqualTo(unknown);
	}

	@Test
	void ofSixteenRefreshesAtOnceOneWinsAndTheFamilyEnds() {
		SignedIn first = login(PASSWORD);
		List<SignedIn> winners = await(Flux.range(0, 16)
			.flatMap((_) -> this.signIn.refresh(first.refreshToken()).onErrorResume(Refused.class, (_) -> Mono.empty()),
					16)
			.collectList());
		assertThat(winners).hasSize(1);
		awaitRefusal("Unauthorized", this.signIn.refresh(winners.getFirst().refreshToken()));
		assertThat(reads(first)).isFalse();
		assertThat(reads(winners.getFirst())).isFalse();
	}

	@Test
	void aUsedRefreshTokenEndsItsFamilyAndNoOther() {
		SignedIn elsewhere = login(PASSWORD);
		SignedIn first = login(PASSWORD);
		SignedIn second = await(this.signIn.refresh(first.refreshToken()));
		SignedIn third = await(this.signIn.refresh(second.refreshToken()));
		assertThat(reads(third)).isTrue();
		awaitRefusal("Unauthorized", this.signIn.refresh(first.refreshToken()));
		awaitRefusal("Unauthorized", this.signIn.refresh(third.refreshToken()));
		assertThat(reads(third)).isFalse();
		assertThat(reads(elsewhere)).isTrue();
	}

	@Test
	void aRefreshTokenEndsWithItsTimeAndGarbageEndsNothing() {
		SignedIn signedIn = login(PASSWORD);
		awaitRefusal("Unauthorized", this.signIn.refresh(Secret.of("rt_garbage")));
		awaitRefusal("Unauthorized", this.signIn.refresh(RefreshToken.random().whole()));
		assertThat(reads(signedIn)).isTrue();
		Given.run("update session set expires_at = now() where account_id = '%s'", this.owner.account());
		awaitRefusal("Unauthorized", this.signIn.refresh(signedIn.refreshToken()));
	}

	@Test
	void whoSignsOutIsOutWithEveryTokenOfThatSession() {
		SignedIn elsewhere = login(PASSWORD);
		SignedIn signedIn = login(PASSWORD);
		await(this.signIn.logout(signedIn.refreshToken()));
		await(this.signIn.logout(signedIn.refreshToken()));
		await(this.signIn.logout(Secret.of("garbage")));
		assertThat(reads(signedIn)).isFalse();
		awaitRefusal("Unauthorized", this.signIn.refresh(signedIn.refreshToken()));
		assertThat(reads(elsewhere)).isTrue();
	}

	@Test
	void aResetEndsEverySessionAndTheOldPassword() {
		SignedIn signedIn = login(PASSWORD);
		EmailAddress email = EmailAddress.parse(this.address).orElseThrow();
		AccountNotice.ResetPassword letter = (AccountNotice.ResetPassword) await(this.reset.forgot(email));
		assertThat(letter.to()).isEqualTo(this.address);
		PasswordResetRequest redemption = PasswordResetRequest.of(letter.token(), OTHER);
		await(this.reset.reset(redemption));
		assertThat(reads(signedIn)).isFalse();
		awaitRefusal("Unauthorized", this.signIn.refresh(signedIn.refreshToken()));
		awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(this.address, PASSWORD)));
		assertThat(login(OTHER).account().emailVerified()).isTrue();
		awaitRefusal("Invalid request data", this.reset.reset(redemption));
		assertThat(isEmpty(this.reset.forgot(EmailAddress.parse("x" + this.address).orElseThrow()))).isTrue();
	}

	@Test
	void aChangedPasswordNeedsTheCurrentOneAndEndsEverySession() {
		SignedIn signedIn = login(PASSWORD);
		assertThat(awaitRefusal("Invalid request data",
				this.accounts.amend(this.owner, AccountUpdate.of(null, Secret.of("wrong"), OTHER)))
			.details()).extracting(Refusal.Detail::field).containsExactly("current_password");
		assertThat(reads(signedIn)).isTrue();
		assertThat(await(this.accounts.amend(this.owner, AccountUpdate.of("Bea", PASSWORD, OTHER))).name())
			.isEqualTo("Bea");
		assertThat(reads(signedIn)).isFalse();
		login(OTHER);
	}

	@Test
	void aSessionDoesNotBeginWithAPasswordThatWasReplacedMeanwhile() {
		Given.run("update account set password_hash = null where id = '%s'", this.owner.account());
		awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(this.address, PASSWORD)));
		assertThat(Given.rows("select id from session where account_id = '%s'", this.owner.account())).isEmpty();
	}

	private SignedIn login(Secret password) {
		return await(this.signIn.login(Credentials.of(this.address, password)));
	}

	private boolean reads(SignedIn signedIn) {
		return !isEmpty(this.tokens.read(signedIn.accessToken().text()));
	}

}
