package dev.mailroom.account;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

import dev.mailroom.ClientNetwork;
import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.WithCore;
import dev.mailroom.account.SignIn.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
@Execution(ExecutionMode.CONCURRENT)
class ThrottleTest {

	/** More look-ups than a network may do in the time that they take. */
	private static final int MANY = 5000;

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	private static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	private static final Secret WRONG = Secret.of("incorrect horse");

	private static final InetAddress HOME = InetAddress.ofLiteral("198.51.100.7");

	@Autowired
	Registration registration;

	@Autowired
	SignIn signIn;

	@Autowired
	PasswordReset reset;

	@Autowired
	ThrottleStore store;

	@Autowired
	Throttle throttle;

	private final String address = UUID.randomUUID() + "@owner.test";

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void ofConcurrentGuessesTenAreAnsweredWhetherOrNotTheAddressHasAnAccount(boolean registered) {
		if (registered) {
			register();
		}
		List<String> outcomes = await(Flux.range(0, 24).flatMap((_) -> errorName(login(WRONG)), 24).collectList());
		assertThat(Collections.frequency(outcomes, "Unauthorized")).isEqualTo(10);
		assertThat(Collections.frequency(outcomes, "Rate limit exceeded")).isEqualTo(14);
		Refused refused = awaitRefusal("Rate limit exceeded", login(PASSWORD));
		assertThat(refused.retryAfter()).isBetween(Duration.ofMinutes(14), Duration.ofMinutes(15));
	}

	@Test
	void signInIsPossibleAgainWhenTheOldestFailureExpires() {
		register();
		fail(10);
		Given.run("""
				update throttle set times = array_fill(now() - interval '890 seconds', array[10])
				 where key = sha256('%s')
				""", this.address);
		assertThat(awaitRefusal("Rate limit exceeded", login(PASSWORD)).retryAfter())
			.isLessThan(Duration.ofSeconds(11));
		Given.run("""
				update throttle set times[1] = times[1] - interval '10 seconds' where key = sha256('%s')
				""", this.address);
		await(login(PASSWORD));
		fail(1);
		awaitRefusal("Rate limit exceeded", login(PASSWORD));
	}

	@Test
	void aPasswordResetClearsTheFailures() {
		register();
		fail(10);
		AccountNotice.ResetPassword notice = (AccountNotice.ResetPassword) await(
				this.reset.forgot(EmailAddress.parse(this.address).orElseThrow()));
		await(this.reset.reset(PasswordReset.Request.of(notice.token(), PASSWORD)));
		await(login(PASSWORD));
	}

	@Test
	void successesDoNotCount() {
		register();
		List<String> outcomes = await(Flux.range(0, 12).flatMap((_) -> errorName(login(PASSWORD)), 12).collectList());
		assertThat(outcomes).containsOnly("ok");
	}

	@Test
	void expiredRowsAreDeletedByLaterCounts() {
		fail(1);
		Given.run("update throttle set latest = now() - interval '16 minutes' where key = sha256('%s')", this.address);
		await(this.store.count("sign_in", Secret.of(UUID.randomUUID().toString()).hash(), 10));
		assertThat(Given.rows("select kind from throttle where key = sha256('%s')", this.address)).isEmpty();
	}

	@Test
	void failuresOfOthersDoNotLockOutANetworkFromWhichTheOwnerSignedIn() {
		register();
		Given.run("update account set email_verified_at = now() where email_key = '%s'", this.address);
		EmailAddress owner = EmailAddress.parse(this.address).orElseThrow();
		UnaryOperator<Context> home = ClientNetwork.context(HOME, false);
		await(login(PASSWORD).contextWrite(home));
		for (int i = 0; i < 100; i++) {
			awaitRefusal("Unauthorized", failure(owner).contextWrite(from(i / 10)));
		}
		awaitRefusal("Rate limit exceeded", failure(owner).contextWrite(from(0)));
		awaitRefusal("Rate limit exceeded", this.throttle.requireFewFailures(owner).contextWrite(from(99)));
		assertThat(isEmpty(this.throttle.requireFewFailures(owner).contextWrite(home))).isTrue();
		awaitRefusal("Unauthorized", failure(owner).contextWrite(home));
	}

	@Test
	void codesOfOthersDoNotLockOutANetworkFromWhichAValidCodeCame() {
		UUID account = UUID.randomUUID();
		UnaryOperator<Context> home = ClientNetwork.context(HOME, false);
		await(this.throttle.clearCodes(account).contextWrite(home));
		for (int i = 0; i < 10; i++) {
			await(this.throttle.countCode(account).contextWrite(from(0)));
		}
		awaitRefusal("Rate limit exceeded", this.throttle.countCode(account).contextWrite(from(0)));
		for (int i = 10; i < 30; i++) {
			await(this.throttle.countCode(account).contextWrite(from(i / 10)));
		}
		awaitRefusal("Rate limit exceeded", this.throttle.countCode(account).contextWrite(from(99)));
		assertThat(isEmpty(this.throttle.countCode(account).contextWrite(home))).isTrue();
	}

	@Test
	void aNetworkThatTriesManyAddressesOrRegistersOftenIsRefused() {
		UnaryOperator<Context> sprayer = from(ThreadLocalRandom.current().nextInt(1000, 60_000));
		for (int i = 0; i < 50; i++) {
			EmailAddress tried = EmailAddress.parse(i + this.address).orElseThrow();
			awaitRefusal("Unauthorized", failure(tried).contextWrite(sprayer));
			await(this.throttle.countRegistration().contextWrite(sprayer));
		}
		EmailAddress next = EmailAddress.parse("next" + this.address).orElseThrow();
		awaitRefusal("Rate limit exceeded", failure(next).contextWrite(sprayer));
		awaitRefusal("Rate limit exceeded", this.throttle.countRegistration().contextWrite(sprayer));
		awaitRefusal("Rate limit exceeded",
				this.registration.register(Applicant.of(this.address, PASSWORD, "Eve")).contextWrite(sprayer));
		assertThat(isEmpty(this.throttle.requireFewFailures(next))).isTrue();
	}

	@Test
	void aSiteWithManyNetworksIsRefusedAndItsNeighboursAreNot() {
		String site = "2001:db8:" + Integer.toHexString(ThreadLocalRandom.current().nextInt(60_000, 0xffff));
		String neighbour = "2001:db9:" + site.substring(9);
		EmailAddress address = EmailAddress.parse(this.address).orElseThrow();
		await(this.throttle.countRegistration().contextWrite(client(site + ":1::1")));
		Given.run("update throttle set times = array_fill(now(), array[199]) where kind = 'registration' "
				+ "and key = sha256('%s')", ClientNetwork.site(InetAddress.ofLiteral(site + "::1")));
		await(this.throttle.countRegistration().contextWrite(client(site + ":2::1")));
		awaitRefusal("Rate limit exceeded", this.throttle.countRegistration().contextWrite(client(site + ":3::1")));
		await(this.throttle.countRegistration().contextWrite(client(neighbour + ":3::1")));
		awaitRefusal("Unauthorized", failure(address).contextWrite(client(site + ":1::1")));
		Given.run("update throttle set times = array_fill(now(), array[200]) where kind = 'sign_in_network' "
				+ "and key = sha256('%s')", ClientNetwork.site(InetAddress.ofLiteral(site + "::1")));
		awaitRefusal("Rate limit exceeded", failure(address).contextWrite(client(site + ":4::1")));
		awaitRefusal("Unauthorized", failure(address).contextWrite(client(neighbour + ":4::1")));
	}

	@Test
	void aSprayerDoesNotLockOutOwnersWhoSignedInFromTheSameNetwork() {
		EmailAddress owner = EmailAddress.parse(this.address).orElseThrow();
		InetAddress office = InetAddress.ofLiteral(
				"203.0." + ThreadLocalRandom.current().nextInt(256) + "." + ThreadLocalRandom.current().nextInt(256));
		UnaryOperator<Context> context = ClientNetwork.context(office, false);
		await(this.throttle.succeeded(owner).contextWrite(context));
		awaitRefusal("Unauthorized", failure(owner).contextWrite(context));
		Given.run("update throttle set times = array_fill(now(), array[50]) where kind = 'sign_in_network' "
				+ "and key = sha256('%s')", ClientNetwork.text(office));
		EmailAddress other = EmailAddress.parse("other" + this.address).orElseThrow();
		awaitRefusal("Rate limit exceeded", failure(other).contextWrite(context));
		assertThat(isEmpty(this.throttle.requireFewFailures(owner).contextWrite(context))).isTrue();
		for (int i = 0; i < 9; i++) {
			awaitRefusal("Unauthorized", failure(owner).contextWrite(context));
		}
		awaitRefusal("Rate limit exceeded", failure(owner).contextWrite(context));
	}

	@Test
	void mailsThatAClientMayCauseDoNotShowWhichAddressesHaveAccounts() {
		register();
		String unknown = UUID.randomUUID() + "@nobody.test";
		List<Integer> left = new ArrayList<>();
		for (String asked : List.of(this.address, unknown)) {
			UnaryOperator<Context> client = from(ThreadLocalRandom.current().nextInt(1000, 60_000));
			EmailAddress email = EmailAddress.parse(asked).orElseThrow();
			await(this.reset.forgot(email).contextWrite(client).hasElement());
			await(this.registration.resend(email).contextWrite(client).hasElement());
			await(this.registration.register(Applicant.of(asked, PASSWORD, "Eve")).contextWrite(client));
			EmailAddress own = EmailAddress.parse("eve" + asked).orElseThrow();
			left.add(await(Flux.range(0, 60)
				.concatMap((i) -> this.throttle.countMail(EmailAddress.parse(i + own.toString()).orElseThrow()))
				.filter(Boolean::booleanValue)
				.contextWrite(client)
				.collectList()).size());
		}
		assertThat(left).containsExactly(47, 47);
	}

	@Test
	void unknownCredentialsAreLimitedByTheClientsNetworkAndSite() {
		assertThat(unknown("198.51.100.1")).isBetween(LookUps.BURST, MANY - 1);
		awaitRefusal("Rate limit exceeded", lookUp(Mono.just("known"), "198.51.100.1"));
		assertThat(await(lookUp(Mono.just("known"), "198.51.100.2"))).isEqualTo("known");
		for (int i = 0; i < ClientNetwork.SITE_FACTOR; i++) {
			unknown("2001:db8:1:" + i + "::1");
		}
		assertThat(unknown("2001:db8:1:ffff::1")).isLessThan(LookUps.BURST);
		assertThat(unknown("2001:db8:2::1")).isGreaterThanOrEqualTo(LookUps.BURST);
		assertThat(unknown("127.0.0.1")).isEqualTo(MANY);
	}

	@Test
	void knownCredentialsAreNotLimited() {
		for (int i = 0; i < MANY; i++) {
			assertThat(await(lookUp(Mono.just("known"), "198.51.100.3"))).isEqualTo("known");
		}
		assertThat(unknown("198.51.100.3")).isGreaterThanOrEqualTo(LookUps.BURST);
	}

	/** The number of unknown credentials from an address that are looked up. */
	private int unknown(String client) {
		for (int i = 0; i < MANY; i++) {
			try {
				await(lookUp(Mono.empty(), client));
			}
			catch (Refused _) {
				return i;
			}
		}
		return MANY;
	}

	private <T> Mono<T> lookUp(Mono<T> read, String client) {
		return this.throttle.lookUp(read).contextWrite(ClientNetwork.context(InetAddress.ofLiteral(client), false));
	}

	private Mono<Void> failure(EmailAddress address) {
		return this.throttle.countFailure(address, UNAUTHORIZED.because("wrong"));
	}

	@Test
	void nothingIsCountedIfTheThrottleIsDisabled() {
		Throttle disabled = new Throttle(this.store, new ThrottleSettings(false));
		EmailAddress email = EmailAddress.parse(this.address).orElseThrow();
		for (int i = 0; i < 12; i++) {
			awaitRefusal("Unauthorized", disabled.countFailure(email, UNAUTHORIZED.because("wrong")));
		}
		assertThat(isEmpty(disabled.requireFewFailures(email))).isTrue();
		assertThat(await(disabled.countMail(email))).isTrue();
	}

	private void register() {
		await(this.registration.register(Applicant.of(this.address, PASSWORD, "Ann")));
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			awaitRefusal("Unauthorized", login(WRONG));
		}
	}

	private Mono<SignIn.Result> login(Secret password) {
		return this.signIn.login(Credentials.of(this.address, password));
	}

	private static UnaryOperator<Context> from(int network) {
		return client("2001:db8:" + Integer.toHexString(network) + "::1");
	}

	private static UnaryOperator<Context> client(String address) {
		return ClientNetwork.context(InetAddress.ofLiteral(address), false);
	}

}
