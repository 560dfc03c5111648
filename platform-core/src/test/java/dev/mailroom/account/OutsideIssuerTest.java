package dev.mailroom.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.UUID;

import com.nimbusds.jose.jwk.RSAKey;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
@Execution(ExecutionMode.CONCURRENT)
class OutsideIssuerTest {

	private static final String DISCOVERY = "/.well-known/openid-configuration";

	private static final String KEYS = "/keys";

	@Autowired
	Identities identities;

	private final TestIssuer server = new TestIssuer();

	private final String subject = UUID.randomUUID().toString();

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void theDocumentsAreReadOnceWhenTheFirstTokenNeedsThem() {
		OutsideIssuer issuer = issuer(this.server.issuer());
		assertThat(this.server.requests()).isEmpty();
		Scope first = await(issuer.read(token()));
		assertThat(await(issuer.read(token()))).isEqualTo(first);
		assertThat(this.server.requests()).containsExactly(DISCOVERY, KEYS);
	}

	@Test
	void theKeysAreReadAgainForATokenWithAnUnknownKeyId() {
		OutsideIssuer issuer = issuer(this.server.issuer());
		String before = token();
		await(issuer.read(before));
		this.server.rotate();
		assertThat(isEmpty(issuer.read(token()))).isFalse();
		assertThat(this.server.requests()).containsExactly(DISCOVERY, KEYS, KEYS);
		assertThat(isEmpty(issuer.read(before))).as("signed with a key that was withdrawn").isTrue();
	}

	@Test
	void manyTokensWithUnknownKeyIdsReadTheKeysOnlyAFewTimes() {
		OutsideIssuer issuer = issuer(this.server.issuer());
		await(issuer.read(token()));
		RSAKey key = TestIssuer.generateKey("unknown");
		for (int i = 0; i < 30; i++) {
			String forged = TestIssuer.token(this.server.claims(this.subject),
					new RSAKey.Builder(key).keyID("unknown" + i).build());
			assertThat(isEmpty(issuer.read(forged))).isTrue();
		}
		assertThat(this.server.requests()).as("at most five in each of two minutes").hasSizeLessThanOrEqualTo(2 + 10);
		assertThat(isEmpty(issuer.read(token()))).isFalse();
	}

	@Test
	void tokensReadAnIssuerThatIsDownOnlyAFewTimes() {
		OutsideIssuer issuer = issuer(this.server.issuer());
		this.server.remove(DISCOVERY);
		for (int i = 0; i < 20; i++) {
			unreachable(issuer, token());
		}
		assertThat(this.server.requests()).as("three locations, five times in each of two minutes")
			.hasSizeLessThanOrEqualTo(3 * 10);
	}

	@Test
	void aWithdrawnKeyIsNotTrustedLongerThanAFewMinutes() {
		MutableClock clock = new MutableClock(Instant.now());
		OutsideIssuer issuer = new OutsideIssuer(new OidcSettings(this.server.issuer(), "mailroom"), this.identities,
				clock);
		String token = longToken();
		await(issuer.read(token));
		this.server.rotate();
		assertThat(isEmpty(issuer.read(token))).as("the keys are young").isFalse();
		clock.add(Duration.ofMinutes(11));
		assertThat(isEmpty(issuer.read(token))).isTrue();
	}

	@Test
	void keysThatCannotBeReadAgainAreUsedForAnHour() {
		MutableClock clock = new MutableClock(Instant.now());
		OutsideIssuer issuer = new OutsideIssuer(new OidcSettings(this.server.issuer(), "mailroom"), this.identities,
				clock);
		String token = longToken();
		await(issuer.read(token));
		this.server.remove(KEYS);
		clock.add(Duration.ofMinutes(50));
		assertThat(isEmpty(issuer.read(token))).isFalse();
		clock.add(Duration.ofMinutes(11));
		unreachable(issuer, token);
	}

	@Test
	void aTokenSignedWithAnotherKeyUnderAKnownKeyIdIsRejectedWithoutReadingTheKeysAgain() {
		OutsideIssuer issuer = issuer(this.server.issuer());
		await(issuer.read(token()));
		String forged = TestIssuer.token(this.server.claims(this.subject),
				TestIssuer.generateKey(this.server.key().getKeyID()));
		assertThat(isEmpty(issuer.read(forged))).isTrue();
		assertThat(this.server.requests()).containsExactly(DISCOVERY, KEYS);
	}

	@Test
	void anIssuerWithAPathIsFoundUnderTheLocationOfRfc8414() {
		String name = this.server.issuer() + "/tenant";
		this.server.publishDiscovery("/.well-known/oauth-authorization-server/tenant", name);
		OutsideIssuer issuer = issuer(name);
		String token = this.server.token(this.server.claims(this.subject).issuer(name));
		assertThat(issuer.issued(token)).isTrue();
		assertThat(isEmpty(issuer.read(token))).isFalse();
		assertThat(this.server.requests()).containsExactly("/tenant" + DISCOVERY, DISCOVERY + "/tenant",
				"/.well-known/oauth-authorization-server/tenant", KEYS);
	}

	@Test
	void aDiscoveryDocumentOfAnotherIssuerIsNotUsed() {
		this.server.publishDiscovery(DISCOVERY, "https://elsewhere.test");
		unreachable(issuer(this.server.issuer()), token());
	}

	@Test
	void anIssuerWithoutADiscoveryDocumentIsUnavailableAndTriedAgainForTheNextToken() {
		OutsideIssuer issuer = issuer(this.server.issuer());
		this.server.remove(DISCOVERY);
		unreachable(issuer, token());
		this.server.publishDiscovery(DISCOVERY, this.server.issuer());
		assertThat(isEmpty(issuer.read(token()))).isFalse();
	}

	@Test
	void anIssuerThatCannotBeReachedIsUnavailableAndNoReasonToSignInAgain() {
		String name = "http://localhost:1";
		unreachable(issuer(name), this.server.token(this.server.claims(this.subject).issuer(name)));
	}

	@Test
	void withoutAConfiguredIssuerNoTokenIsOfAnOutsideIssuer() {
		assertThat(issuer("").issued(token())).isFalse();
	}

	private OutsideIssuer issuer(String name) {
		return new OutsideIssuer(new OidcSettings(name, "mailroom"), this.identities, Clock.systemUTC());
	}

	private String longToken() {
		return this.server
			.token(this.server.claims(this.subject).expirationTime(Date.from(Instant.now().plus(Duration.ofDays(1)))));
	}

	private String token() {
		return this.server.token(this.server.claims(this.subject));
	}

	/** A clock that a test advances. */
	private static final class MutableClock extends Clock {

		private volatile Instant now;

		MutableClock(Instant now) {
			this.now = now;
		}

		void add(Duration time) {
			this.now = this.now.plus(time);
		}

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

	private static void unreachable(OutsideIssuer issuer, String token) {
		Refused refused = awaitRefusal("Service unavailable", issuer.read(token));
		assertThat(refused.refusal().kind().status()).isEqualTo(503);
		assertThat(refused.retryAfter()).isNotNull();
	}

}
