package dev.mailroom.account;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.mailroom.Refused;
import dev.mailroom.WithCore;
import dev.mailroom.WrongSetting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@WithCore
class VisitingOperatorsTest {

	private static final String PASSWORD = "correct horse battery";

	@Autowired
	Accounts accounts;

	@Autowired
	AccountStore store;

	@Autowired
	Registration registration;

	@Autowired
	TokenSettings tokens;

	/** The cell us1. */
	private final TestIssuer other = new TestIssuer();

	private final String address = UUID.randomUUID() + "@operator.test";

	private ECKey key;

	private VisitingOperators operators;

	@BeforeEach
	void start() throws JOSEException {
		this.key = new ECKeyGenerator(Curve.P_256).keyID("us1").generate();
		this.other.publish("/.well-known/jwks.json", new JWKSet(this.key.toPublicJWK()).toString());
		this.operators = operators(List.of("eu1=http://localhost:8080", "us1=" + this.other.issuer()));
		await(this.accounts.ensureOperator(this.address, PASSWORD));
	}

	@AfterEach
	void stop() {
		this.operators.destroy();
		this.other.close();
	}

	@Test
	void anOperatorOfAnotherCellIsTheOperatorOfTheSameAddressWithoutFurtherRights() {
		Caller caller = await(this.operators.read(token(claims())));
		assertThat(caller.role()).isEqualTo(Caller.Role.OPERATOR);
		assertThat(caller.member()).isEqualTo(MemberRole.VIEWER);
		assertThat(await(this.accounts.findOperator(caller.scope())).email()).isEqualTo(this.address);
	}

	@Test
	void anOperatorWithoutAnAccountHereIsForbidden() {
		String tenant = UUID.randomUUID() + "@tenant.test";
		await(this.registration.register(Applicant.of(tenant, Secret.of(PASSWORD), "Ann")));
		for (String email : new String[] { "other-" + this.address, tenant }) {
			Refused refused = awaitRefusal("Forbidden", this.operators.read(token(claims().claim("email", email))));
			assertThat(refused.message()).contains("operator of the cell us1");
		}
	}

	@Test
	void tokensOfTenantsOtherIssuersAndOtherKeysAreNotThoseOfVisitors() throws JOSEException {
		assertThat(isEmpty(this.operators.read(token(claims().claim("scope", "account"))))).isTrue();
		assertThat(isEmpty(this.operators.read(token(claims().claim("scope", "enrolment"))))).isTrue();
		assertThat(isEmpty(this.operators.read(token(claims().claim("cell", "as1"))))).isTrue();
		assertThat(isEmpty(this.operators.read(token(claims().audience("elsewhere"))))).isTrue();
		assertThat(isEmpty(this.operators.read(token(claims().issuer("http://localhost:8080"))))).isTrue();
		assertThat(isEmpty(this.operators.read(KeyText.random("us1").text()))).isTrue();
		this.key = new ECKeyGenerator(Curve.P_256).keyID("us1").generate();
		assertThat(isEmpty(this.operators.read(token(claims())))).isTrue();
	}

	@Test
	void aCellWhoseKeysCannotBeReadIsUnavailable() {
		this.other.remove("/.well-known/jwks.json");
		assertThat(awaitRefusal("Service unavailable", this.operators.read(token(claims()))).refusal().kind().status())
			.isEqualTo(503);
	}

	@Test
	void withoutTheListNoCellIsAsked() {
		VisitingOperators none = operators(List.of());
		assertThat(isEmpty(none.read(token(claims())))).isTrue();
		assertThat(this.other.requests()).isEmpty();
	}

	@Test
	void listsWithoutThisCellOrWithoutUrlsAreRefusedAtTheStart() {
		for (String wrong : new String[] { "us1=https://us1.test", "eu1", "Eu1=https://eu1.test" }) {
			assertThatExceptionOfType(WrongSetting.class)
				.isThrownBy(() -> new VisitingOperators.Settings("eu1", List.of(wrong)))
				.withMessageContaining("MAILROOM_CELLS");
		}
	}

	private VisitingOperators operators(List<String> cells) {
		return new VisitingOperators(new VisitingOperators.Settings("eu1", cells), this.tokens, this.store,
				Clock.systemUTC());
	}

	private JWTClaimsSet.Builder claims() {
		return this.other.claims(UUID.randomUUID().toString())
			.claim("cell", "us1")
			.claim("scope", "account operator")
			.claim("email", this.address);
	}

	private String token(JWTClaimsSet.Builder claims) {
		try {
			return TestIssuer.token(claims, JWSAlgorithm.ES256, "us1", new ECDSASigner(this.key));
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
