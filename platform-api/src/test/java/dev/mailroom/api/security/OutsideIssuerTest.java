package dev.mailroom.api.security;

import java.time.Instant;
import java.util.Date;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.mailroom.account.TestIssuer;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Access tokens of an outside OIDC issuer over HTTP. */
@WithApi
class OutsideIssuerTest {

	private static final TestIssuer ISSUER = new TestIssuer();

	@Autowired
	ApplicationContext context;

	private final String subject = UUID.randomUUID().toString();

	@Autowired
	Client client;

	@DynamicPropertySource
	static void issuer(DynamicPropertyRegistry registry) {
		registry.add("mailroom.oidc.issuer", ISSUER::issuer);
	}

	@AfterAll
	static void stop() {
		ISSUER.close();
	}

	@Test
	void theFirstRequestOfAPersonCreatesTheirAccount() {
		String email = this.subject + "@outside.test";
		String token = ISSUER.token(claims().claim("email", email).claim("email_verified", true).claim("name", "Ann"));
		String id = me(token, email, true);
		me(ISSUER.token(claims()), email, true);
		this.client.get(ISSUER.token(claims()), "/api/auth/me").expectBody().jsonPath("$.data.user.id").isEqualTo(id);
	}

	@Test
	void anAddressThatTheIssuerHasNotVerifiedIsNotUsed() {
		Person person = Person.in(this.context);
		me(ISSUER.token(claims().claim("email", person.email()).claim("email_verified", false)), "", false);
		me(ISSUER.token(claims().claim("email", person.email())), "", false);
	}

	@Test
	void anAddressThatTheIssuerHasVerifiedLinksItsAccount() {
		Person person = Person.in(this.context);
		String token = ISSUER.token(claims().claim("email", person.email()).claim("email_verified", true));
		this.client.get(token, "/api/auth/me")
			.expectBody()
			.jsonPath("$.data.user.id")
			.isEqualTo(person.account().toString());
	}

	@Test
	void accessTokensOfMailroomAreStillAccepted() {
		this.client.get(Person.in(this.context).token(), "/api/auth/me").expectStatus().isOk();
	}

	@Test
	void tokensWithWrongClaimsOrSignaturesAreRejected() throws JOSEException {
		TokenTest.unauthorized(get(ISSUER.token(claims().audience("elsewhere"))));
		TokenTest.unauthorized(get(ISSUER.token(claims().audience((String) null))));
		TokenTest.unauthorized(get(ISSUER.token(claims().subject(null))));
		TokenTest.unauthorized(get(ISSUER.token(claims().expirationTime(null))));
		TokenTest.unauthorized(get(ISSUER.token(claims().expirationTime(Date.from(Instant.now().minusSeconds(60))))));
		TokenTest.unauthorized(get(ISSUER.token(claims().issuer(ISSUER.issuer() + "/other"))));
		RSAKey other = TestIssuer.generateKey(ISSUER.key().getKeyID());
		TokenTest.unauthorized(get(TestIssuer.token(claims(), other)));
		String hmac = TestIssuer.token(claims(), JWSAlgorithm.HS256, ISSUER.key().getKeyID(),
				new MACSigner(ISSUER.key().toRSAPublicKey().getEncoded()));
		TokenTest.unauthorized(get(hmac));
	}

	private WebTestClient.ResponseSpec get(String token) {
		return this.client.get(token, "/api/auth/me");
	}

	private String me(String token, String email, boolean verified) {
		String[] id = new String[1];
		get(token).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.user.email")
			.isEqualTo(email)
			.jsonPath("$.data.user.email_verified")
			.isEqualTo(verified)
			.jsonPath("$.data.user.id")
			.value((String value) -> id[0] = value);
		return id[0];
	}

	private JWTClaimsSet.Builder claims() {
		return ISSUER.claims(this.subject);
	}

}
