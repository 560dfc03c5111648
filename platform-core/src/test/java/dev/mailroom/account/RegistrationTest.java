package dev.mailroom.account;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@WithCore
class RegistrationTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	@Autowired
	Registration registration;

	@Autowired
	AddressVerification verification;

	@Autowired
	PasswordReset reset;

	private final String address = UUID.randomUUID() + "@Somewhere.test";

	@Test
	void aNewAccountIsUnverifiedAndGetsAVerificationMail() {
		Registration.Result result = await(this.registration.register(applicant("Ann")));
		assertThat(result.account().email()).isEqualTo(this.address.replace("Some", "some"));
		assertThat(result.account().plan()).isEqualTo("free");
		assertThat(result.account().emailVerified()).isFalse();
		assertThat(result.notice()).isInstanceOf(AccountNotice.VerifyAddress.class);
		assertThat(Given.rows("select password_hash from account where id = '%s'", result.account().id()))
			.singleElement()
			.asString()
			.startsWith("$argon2id$");
	}

	@Test
	void concurrentRegistrationsOfOneAddressCreateOneAccountAndHaveTheSameResult() {
		List<Registration.Result> results = await(
				Flux.range(0, 8).flatMap((_) -> this.registration.register(applicant("Ann")), 8).collectList());
		assertThat(results).hasSize(8).allSatisfy((result) -> {
			assertThat(result.account().emailVerified()).isFalse();
			assertThat(result.account().name()).isEqualTo("Ann");
			assertThat(result.account().id().version()).isEqualTo(7);
		});
		assertThat(results).filteredOn((result) -> result.notice() instanceof AccountNotice.VerifyAddress).hasSize(1);
		assertThat(results).filteredOn((result) -> result.notice() instanceof AccountNotice.AlreadyRegistered)
			.hasSize(7);
		assertThat(Given.rows("select id from account where email_key = '%s'", key())).hasSize(1);
	}

	@Test
	void aDifferentSpellingOfAnAddressIsTheSameAddress() {
		await(this.registration.register(applicant("Ann")));
		Registration.Result again = await(
				this.registration.register(Applicant.of(this.address.toUpperCase(Locale.ROOT), PASSWORD, "Bob")));
		assertThat(again.notice())
			.isEqualTo(new AccountNotice.AlreadyRegistered(EmailAddress.parse(this.address).orElseThrow().toString()));
	}

	@Test
	void ofConcurrentUsesOfALinkOneSucceeds() {
		Secret token = token();
		List<String> outcomes = await(
				Flux.range(0, 16).flatMap((_) -> errorName(this.verification.verify(link(token))), 16).collectList());
		assertThat(outcomes).hasSize(16).filteredOn("ok"::equals).hasSize(1);
		assertThat(Given.rows("select email_verified_at is not null from account where email_key = '%s'", key()))
			.containsExactly("t");
	}

	@Test
	void aLinkExpiresAndIsValidForOnePurposeOnly() {
		Secret token = token();
		awaitRefusal("Invalid request data",
				this.reset.reset(PasswordReset.Request.of(token, Secret.of("another long password"))));
		Given.run("update one_time_token set expires_at = now() where account_id = "
				+ "(select id from account where email_key = '%s')", key());
		Refused refused = awaitRefusal("Invalid request data", this.verification.verify(link(token)));
		assertThat(refused.details()).extracting(Refusal.Detail::field).containsExactly("token");
	}

	@Test
	void tokensAreStoredAsHashes() {
		Secret token = token();
		assertThat(Given.rows("select t::text from one_time_token t")).noneMatch((row) -> row.contains(token.text()));
		assertThat(new AccountNotice.VerifyAddress("a@b.test", token).toString()).doesNotContain(token.text());
	}

	@Test
	void verificationMailsAreLimitedAndEndWithTheVerification() {
		EmailAddress email = EmailAddress.parse(this.address).orElseThrow();
		assertThat(isEmpty(this.registration.resend(EmailAddress.parse("x" + this.address).orElseThrow()))).isTrue();
		Secret token = token();
		assertThat(await(this.registration.resend(email).repeat(11).collectList()))
			.as("beside that of the registration")
			.hasSize(9);
		await(this.verification.verify(link(token)));
		Given.run("delete from throttle");
		assertThat(isEmpty(this.registration.resend(email))).isTrue();
	}

	@Test
	void allInvalidFieldsAreReported() {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> Applicant.of("nobody", Secret.of("short"), "a\nb"))
			.satisfies((refused) -> assertThat(refused.details()).extracting(Refusal.Detail::field)
				.containsExactly("email", "password", "name"));
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> Applicant.of(null, null, null))
			.satisfies((refused) -> assertThat(refused.details()).extracting(Refusal.Detail::field)
				.containsExactly("email", "password"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 11, 257 })
	void aPasswordHasTwelveTo256Characters(int length) {
		assertThatExceptionOfType(Refused.class)
			.isThrownBy(() -> Applicant.of(this.address, Secret.of("\uD83D\uDE00".repeat(length)), null));
		assertThat(Applicant.of(this.address, Secret.of("x".repeat(256)), null).name()).isEmpty();
		assertThat(Applicant.of(this.address, Secret.of("\uD83D\uDE00".repeat(12)), null).name()).isEmpty();
	}

	private static AddressVerification.Request link(Secret token) {
		return AddressVerification.Request.of(token, null, null);
	}

	private Applicant applicant(String name) {
		return Applicant.of(this.address, PASSWORD, name);
	}

	private Secret token() {
		AccountNotice notice = await(this.registration.register(applicant("Ann"))).notice();
		return ((AccountNotice.VerifyAddress) notice).token();
	}

	private String key() {
		return this.address.toLowerCase(Locale.ROOT);
	}

}
