package dev.mailroom.account;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.AddressVerification.Request;
import dev.mailroom.account.SignIn.Credentials;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A password that was set before the verification, when the link is opened by the person
 * who set it and by somebody else.
 */
@WithCore
class AddressVerificationTest {

	private static final Secret STRANGERS = Secret.of("a stranger's password");

	private static final Secret OWNERS = Secret.of("the owner's password");

	@Autowired
	Registration registration;

	@Autowired
	AddressVerification verification;

	@Autowired
	SignIn signIn;

	@Autowired
	AccessTokens tokens;

	private final String address = UUID.randomUUID() + "@owner.test";

	private Scope account;

	private Secret link;

	@BeforeEach
	void register() {
		Registration.Result result = await(this.registration.register(Applicant.of(this.address, STRANGERS, "Ann")));
		this.account = Scope.of(result.account().id());
		this.link = ((AccountNotice.VerifyAddress) result.notice()).token();
	}

	@Test
	void aBrowserWithoutASessionNeedsThePasswordOrANewOne() {
		assertThat(field(inBrowser(null, null, null))).isEqualTo("password");
		assertThat(field(inBrowser(null, null, Scope.of(UUID.randomUUID())))).isEqualTo("password");
		assertThat(field(inBrowser(OWNERS, null, null))).isEqualTo("password");
		assertThat(await(inBrowser(STRANGERS, null, null)).emailVerified()).isTrue();
		await(login(STRANGERS));
		assertThat(field(inBrowser(STRANGERS, null, null))).isEqualTo("token");
	}

	@Test
	void theSessionOfTheRegistrantKeepsThePassword() {
		assertThat(await(inBrowser(null, null, this.account)).emailVerified()).isTrue();
		await(login(STRANGERS));
	}

	@Test
	void aNewPasswordEndsTheSessionsOfThePersonWhoRegistered() {
		SignIn.Result stranger = await(login(STRANGERS));
		await(inBrowser(null, OWNERS, null));
		awaitRefusal("Unauthorized", login(STRANGERS));
		awaitRefusal("Unauthorized", this.signIn.refresh(stranger.refreshToken()));
		assertThat(isEmpty(this.tokens.read(stranger.accessToken().text()))).isTrue();
		await(login(OWNERS));
	}

	@Test
	void aProgramNeedsTheTokenOnly() {
		await(this.verification.verify(Request.of(this.link, null, null)));
		await(login(STRANGERS));
	}

	@Test
	void aProgramMayConfirmOrReplaceThePassword() {
		assertThat(field(this.verification.verify(Request.of(this.link, OWNERS, null)))).isEqualTo("password");
		await(this.verification.verify(Request.of(this.link, STRANGERS, OWNERS)));
		await(login(OWNERS));
	}

	private Mono<Account> inBrowser(@Nullable Secret password, @Nullable Secret next, @Nullable Scope caller) {
		return this.verification.verifyInBrowser(Request.of(this.link, password, next), caller);
	}

	private Mono<SignIn.Result> login(Secret password) {
		return this.signIn.login(Credentials.of(this.address, password));
	}

	private static String field(Mono<?> refused) {
		Refused refusal = awaitRefusal("Invalid request data", refused);
		return refusal.details().stream().map(Refusal.Detail::field).findFirst().orElse("");
	}

}
