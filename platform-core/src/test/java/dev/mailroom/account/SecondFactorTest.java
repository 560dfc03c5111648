package dev.mailroom.account;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.SignIn.Credentials;
import dev.mailroom.account.SignIn.SecondStep;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
@Execution(ExecutionMode.CONCURRENT)
class SecondFactorTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	private static final Secret OTHER = Secret.of("staple correct horse");

	private static final String WRONG = "x00000";

	@Autowired
	Registration registration;

	@Autowired
	AddressVerification verification;

	@Autowired
	SecondFactorSetup setup;

	@Autowired
	SignIn signIn;

	@Autowired
	Accounts accounts;

	@Autowired
	Challenges challenges;

	@Autowired
	Sessions sessions;

	private final String address = UUID.randomUUID() + "@owner.test";

	private Scope person;

	private Secret link;

	private AuthenticatorApp app;

	private List<String> recoveryCodes;

	@BeforeEach
	void enrol() {
		Registration.Result result = await(this.registration.register(Applicant.of(this.address, PASSWORD, "Ann")));
		this.person = Scope.of(result.account().id());
		this.link = ((AccountNotice.VerifyAddress) result.notice()).token();
		this.app = AuthenticatorApp.of(await(this.setup.begin(caller(null), PASSWORD)).secret().text());
		SecondFactorSetup.Confirmed confirmed = await(
				this.setup.confirm(this.person, Secret.of(this.app.code(Instant.now()))));
		this.recoveryCodes = confirmed.recoveryCodes();
		assertThat(confirmed.notice()).isEqualTo(new AccountNotice.SecondFactorAdded(this.address));
		// The first code is as old as a code that signs in now may be.
		Given.run("update second_factor set last_step = last_step - 10 where account_id = '%s'", this.person.account());
	}

	@Test
	void aSecretThatIsNotConfirmedDoesNotChangeTheSignIn() {
		Given.run("update second_factor set confirmed_at = null where account_id = '%s'", this.person.account());
		await(login());
		String first = await(this.setup.begin(caller(null), PASSWORD)).url().text();
		assertThat(first).startsWith("otpauth://totp/Mailroom%3A").contains("&issuer=Mailroom", "secret=");
		assertThat(await(this.setup.begin(caller(null), PASSWORD)).url().text()).isNotEqualTo(first);
		awaitRefusal("Invalid request data", this.setup.confirm(this.person, Secret.of(WRONG)));
		assertThat(await(this.setup.status(this.person)).active()).isFalse();
	}

	@Test
	void anAccessTokenAloneSetsUpNoSecondFactor() {
		Given.run("delete from second_factor where account_id = '%s'", this.person.account());
		SignInSession session = await(this.sessions.start(this.person));
		await(this.setup.begin(caller(session.id()), null));
		awaitRefusal("Invalid request data", this.setup.begin(caller(null), null));
		awaitRefusal("Invalid request data", this.setup.begin(caller(session.id()), Secret.of("not the password")));
		Given.run("update session set created_at = now() - interval '16 minutes' where id = '%s'", session.id());
		awaitRefusal("Invalid request data", this.setup.begin(caller(session.id()), null));
		await(this.setup.begin(caller(session.id()), PASSWORD));
	}

	@Test
	void signingInRequiresACodeThatWorksOnce() {
		awaitRefusal("Second factor active", this.setup.begin(caller(null), PASSWORD));
		String code = this.app.code(Instant.now());
		SignIn.Result result = await(complete(challenge(), code));
		assertThat(result.account().id()).isEqualTo(this.person.account());
		awaitRefusal("Unauthorized", complete(challenge(), code));
		awaitRefusal("Unauthorized", complete(challenge(), this.app.code(Instant.now().minusSeconds(120))));
		await(complete(challenge(), this.recoveryCodes.getFirst().toUpperCase(Locale.ROOT)));
		awaitRefusal("Unauthorized", complete(challenge(), this.recoveryCodes.getFirst()));
		assertThat(await(this.setup.status(this.person)).recoveryCodes()).isEqualTo(9);
	}

	@Test
	void ofConcurrentUsesOfACodeOneSucceeds() {
		Secret challenge = challenge();
		String recovery = this.recoveryCodes.getLast();
		List<String> outcomes = await(
				Flux.range(0, 4).flatMap((_) -> errorName(complete(challenge, recovery)), 4).collectList());
		assertThat(Collections.frequency(outcomes, "ok")).isEqualTo(1);
	}

	@Test
	void aChallengePermitsFiveCodesAndAnAccountTen() {
		Secret challenge = challenge();
		for (int i = 0; i < 5; i++) {
			awaitRefusal("Unauthorized", complete(challenge, WRONG));
		}
		Refused used = awaitRefusal("Invalid request data", complete(challenge, this.recoveryCodes.getFirst()));
		assertThat(used.details()).extracting(Refusal.Detail::field).containsExactly("challenge");
		Secret next = challenge();
		for (int i = 0; i < 5; i++) {
			awaitRefusal("Unauthorized", complete(next, WRONG));
		}
		awaitRefusal("Rate limit exceeded", complete(challenge(), this.recoveryCodes.getFirst()));
	}

	@Test
	void aChallengeEndsWithItsTimeAndWithTheNextPassword() {
		Secret expired = challenge();
		Given.run("update sign_in_challenge set expires_at = now() where account_id = '%s'", this.person.account());
		awaitRefusal("Invalid request data", complete(expired, this.recoveryCodes.getFirst()));
		Secret before = challenge();
		await(this.accounts.update(this.person, AccountUpdate.of(null, PASSWORD, OTHER)));
		awaitRefusal("Invalid request data", complete(before, this.recoveryCodes.getFirst()));
	}

	@Test
	void aSecondStepThatCommitsDuringAChangeOfThePasswordLeavesNoSession() {
		Sinks.One<Boolean> started = Sinks.one();
		Sinks.One<Boolean> commit = Sinks.one();
		CompletableFuture<SignInSession> step = this.challenges
			.complete(challenge(), Secret.of(this.recoveryCodes.getFirst()),
					(scope) -> this.sessions.start(scope)
						.doOnNext((_) -> started.tryEmitValue(true))
						.delayUntil((_) -> commit.asMono()))
			.toFuture();
		await(started.asMono());
		CompletableFuture<Account> change = this.accounts.update(this.person, AccountUpdate.of(null, PASSWORD, OTHER))
			.toFuture();
		until("the new password waits for the second step",
				() -> !Given
					.rows("select pid from pg_stat_activity where wait_event_type = 'Lock' "
							+ "and query like 'delete from sign_in_challenge%%'")
					.isEmpty());
		commit.tryEmitValue(true);
		await(Mono.fromFuture(step));
		await(Mono.fromFuture(change));
		assertThat(Given.rows("select id from session where account_id = '%s'", this.person.account())).isEmpty();
	}

	@Test
	void theSecretIsSealedAndRecoveryCodesAreStoredAsHashes() {
		assertThat(Given.rows("select f::text || r::text from second_factor f join recovery_code r using (account_id) "
				+ "where account_id = '%s'", this.person.account()))
			.hasSize(10)
			.noneMatch((row) -> row.contains(this.app.hex()) || row.contains(this.recoveryCodes.getFirst()));
	}

	@Test
	void removingItNeedsThePassword() {
		awaitRefusal("Invalid request data", this.setup.remove(this.person, OTHER));
		await(this.setup.remove(this.person, PASSWORD));
		await(login());
		awaitRefusal("Second factor not found", this.setup.remove(this.person, PASSWORD));
		assertThat(Given.rows("select act from audit where account_id = '%s' order by id", this.person.account()))
			.containsExactly("account.second_factor_added", "account.second_factor_removed");
	}

	@Test
	void aNewPasswordAtTheVerificationRemovesTheSecondFactorOfTheRegistrant() {
		await(this.verification.verifyInBrowser(AddressVerification.Request.of(this.link, null, OTHER), null));
		await(this.signIn.login(Credentials.of(this.address, OTHER)));
	}

	private Mono<SignIn.Result> login() {
		return this.signIn.login(Credentials.of(this.address, PASSWORD));
	}

	private Secret challenge() {
		return Secret.of(awaitRefusal("Second factor required", login()).properties().get(Challenges.NAME));
	}

	private Caller caller(@Nullable UUID session) {
		return new Caller(this.person, Caller.Kind.PERSON, Caller.Role.TENANT, MemberRole.OWNER, session, Set.of());
	}

	private Mono<SignIn.Result> complete(Secret challenge, String code) {
		return this.signIn.login(SecondStep.of(challenge, Secret.of(code)));
	}

}
