package dev.mailroom.api.security;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Refused;
import dev.mailroom.account.Identities;
import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** An issuer of our own making stands outside: a real server with its documents. */
@ApiTest
class OutsideIssuerTest {

	private static final RSAKey KEY = key();

	private static final HttpServer SERVER = serve();

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Identities identities;

	private final String subject = UUID.randomUUID().toString();

	private Client client;

	@DynamicPropertySource
	static void issuer(DynamicPropertyRegistry registry) {
		registry.add("mailroom.oidc.issuer", OutsideIssuerTest::issuer);
	}

	@BeforeEach
	void connect() {
		this.client = new Client(this.port);
	}

	@AfterAll
	static void stop() {
		SERVER.stop(0);
	}

	@Test
	void somebodySeenForTheFirstTimeHasAnAccountFromThenOn() throws JOSEException {
		String email = this.subject + "@outside.test";
		String token = token(claims().claim("email", email).claim("email_verified", true).claim("name", "Ann"));
		String id = me(token, email, true);
		me(token(claims()), email, true);
		this.client.get(token(claims()), "/api/auth/me").expectBody().jsonPath("$.data.user.id").isEqualTo(id);
	}

	@Test
	void anAddressThatTheIssuerDoesNotVouchForIsNotTaken() throws JOSEException {
		Person person = Person.in(this.context);
		me(token(claims().claim("email", person.email()).claim("email_verified", false)), "", false);
		me(token(claims().claim("email", person.email())), "", false);
	}

	@Test
	void anAddressThatItVouchesForFindsItsAccount() throws JOSEException {
		Person person = Person.in(this.context);
		String token = token(claims().claim("email", person.email()).claim("email_verified", true));
		this.client.get(token, "/api/auth/me")
			.expectBody()
			.jsonPath("$.data.user.id")
			.isEqualTo(person.account().toString());
	}

	@Test
	void ourOwnTokensGoOnToOpen() {
		this.client.get(Person.in(this.context).token(), "/api/auth/me").expectStatus().isOk();
	}

	@Test
	void whatItDidNotSignOrMeanForUsIsNotTaken() throws JOSEException {
		TokenTest.unauthorized(get(token(claims().audience("elsewhere"))));
		TokenTest.unauthorized(get(token(claims().audience((String) null))));
		TokenTest.unauthorized(get(token(claims().subject(null))));
		TokenTest.unauthorized(get(token(claims().expirationTime(null))));
		TokenTest.unauthorized(get(token(claims().expirationTime(Date.from(Instant.now().minusSeconds(60))))));
		TokenTest.unauthorized(get(token(claims().issuer(issuer() + "/other"))));
		RSAKey other = new RSAKeyGenerator(2048).keyID(KEY.getKeyID()).generate();
		TokenTest.unauthorized(get(sign(claims(), other)));
		SignedJWT hmac = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(KEY.getKeyID()).build(),
				claims().build());
		hmac.sign(new MACSigner(KEY.toRSAPublicKey().getEncoded()));
		TokenTest.unauthorized(get(hmac.serialize()));
	}

	@Test
	void anIssuerThatCannotBeReachedIsNoReasonToSignInAgain() throws JOSEException {
		OutsideIssuer away = new OutsideIssuer(new OidcSettings("http://localhost:1", "mailroom"), this.identities,
				Clock.systemUTC());
		StepVerifier.create(away.read(token(claims().issuer("http://localhost:1"))))
			.verifyErrorSatisfies((error) -> assertThat(error).isInstanceOfSatisfying(Refused.class,
					(refused) -> assertThat(refused.refusal().kind().status()).isEqualTo(503)));
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
			.value((String found) -> id[0] = found);
		return id[0];
	}

	private JWTClaimsSet.Builder claims() {
		return new JWTClaimsSet.Builder().issuer(issuer())
			.audience("mailroom")
			.subject(this.subject)
			.issueTime(Date.from(Instant.now().minusSeconds(120)))
			.expirationTime(Date.from(Instant.now().plusSeconds(300)));
	}

	private static String token(JWTClaimsSet.Builder claims) throws JOSEException {
		return sign(claims, KEY);
	}

	private static String sign(JWTClaimsSet.Builder claims, RSAKey key) throws JOSEException {
		SignedJWT token = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
				claims.build());
		token.sign(new RSASSASigner(key));
		return token.serialize();
	}

	private static String issuer() {
		return "http://localhost:" + SERVER.getAddress().getPort();
	}

	private static RSAKey key() {
		try {
			return new RSAKeyGenerator(2048).keyID("outside").generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static HttpServer serve() {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			String issuer = "http://localhost:" + server.getAddress().getPort();
			answer(server, "/.well-known/openid-configuration", """
					{"issuer":"%1$s","jwks_uri":"%1$s/keys","subject_types_supported":["public"],
					 "id_token_signing_alg_values_supported":["RS256"]}""".formatted(issuer));
			answer(server, "/keys", new JWKSet(KEY.toPublicJWK()).toString());
			server.start();
			return server;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void answer(HttpServer server, String path, String json) {
		byte[] body = json.getBytes(StandardCharsets.UTF_8);
		server.createContext(path, (exchange) -> {
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
	}

}
