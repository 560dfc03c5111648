package dev.mailroom.account;

import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.SignIn.Credentials;
import dev.mailroom.secret.Seal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AccessTokensTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	@Autowired
	Registration registration;

	@Autowired
	SignIn signIn;

	@Autowired
	AccessTokens tokens;

	@Autowired
	Seal seal;

	private UUID account;

	private String valid;

	@BeforeEach
	void signIn() {
		String address = UUID.randomUUID() + "@owner.test";
		this.account = await(this.registration.register(Applicant.of(address, PASSWORD, "Ann"))).account().id();
		this.valid = await(this.signIn.login(Credentials.of(address, PASSWORD))).accessToken().text();
	}

	@Test
	void aTokenHasTheRegisteredClaimsAndExpiresAfter15Minutes() throws ParseException {
		JWTClaimsSet claims = SignedJWT.parse(this.valid).getJWTClaimsSet();
		assertThat(claims.getIssuer()).isEqualTo("http://localhost:8080");
		assertThat(claims.getAudience()).containsExactly("mailroom");
		assertThat(claims.getSubject()).isEqualTo(this.account.toString());
		assertThat(claims.getStringClaim("scope")).isEqualTo("account");
		assertThat(claims.getJWTID()).isNotBlank();
		assertThat(
				Duration.between(claims.getIssueTime().toInstant(), claims.getExpirationTime().toInstant()).toMinutes())
			.isEqualTo(15);
	}

	@Test
	void thePublishedKeysVerifyATokenAndHaveNoPrivatePart() throws ParseException, JOSEException {
		Map<String, Object> published = await(this.tokens.publicKeys());
		assertThat(published.toString()).doesNotContain(" d=", "{d=").contains("ES256");
		SignedJWT token = SignedJWT.parse(this.valid);
		ECKey key = (ECKey) JWKSet.parse(published).getKeyByKeyId(token.getHeader().getKeyID());
		assertThat(token.verify(new ECDSAVerifier(key))).isTrue();
	}

	@Test
	void forgedTokensAreRejected() throws JOSEException {
		new Forge(this.seal, this.valid).forgeries()
			.forEach((name, token) -> assertThat(isEmpty(this.tokens.read(token))).as(name).isTrue());
		Stream.of("", ".", "..", "a.b.c", this.valid + "x", "ek_a_b")
			.forEach((token) -> assertThat(isEmpty(this.tokens.read(token))).as(token).isTrue());
	}

	@Test
	void requiredClaimsMustBePresentAndValid() {
		Forge forge = new Forge(this.seal, this.valid);
		assertThat(isAccepted(forge.claim("scope", "account"))).isTrue();
		for (String name : List.of("exp", "iss", "aud", "sub", "sid")) {
			assertThat(isAccepted(forge.claim(name, null))).as(name).isFalse();
		}
		assertThat(isAccepted(forge.claim("iss", "http://localhost:8080/"))).isFalse();
		assertThat(isAccepted(forge.claim("aud", List.of("elsewhere")))).isFalse();
		assertThat(isAccepted(forge.claim("sub", UUID.randomUUID().toString()))).isFalse();
		assertThat(isAccepted(forge.claim("sub", "nobody"))).isFalse();
		assertThat(isAccepted(forge.claim("sid", UUID.randomUUID().toString()))).isFalse();
	}

	@Test
	void anExpiredTokenIsAcceptedWithinTheClockSkew() {
		Forge forge = new Forge(this.seal, this.valid);
		assertThat(isAccepted(forge.expired(20))).isTrue();
		assertThat(isAccepted(forge.expired(40))).isFalse();
	}

	private boolean isAccepted(String token) {
		return await(this.tokens.read(token)
			.map(AccessTokens.Claims::scope)
			.map(Scope.of(this.account)::equals)
			.defaultIfEmpty(false));
	}

}
