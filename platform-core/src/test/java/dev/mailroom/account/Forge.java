package dev.mailroom.account;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.PlainHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.mailroom.TestDatabase;
import dev.mailroom.secret.Seal;

/**
 * Creates access tokens with a wrong claim, signed with the platform's key, and access
 * tokens with a forged signature.
 */
public final class Forge {

	private final ECKey key;

	private final String account;

	private final String session;

	/**
	 * Creates tokens for an existing session.
	 * @param seal opens the platform's signing key
	 * @param valid a valid token of the session
	 */
	public Forge(Seal seal, String valid) {
		try {
			SignedJWT token = SignedJWT.parse(valid);
			this.key = key(seal, token.getHeader().getKeyID());
			this.account = token.getJWTClaimsSet().getSubject();
			this.session = token.getJWTClaimsSet().getStringClaim("sid");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A correctly signed token with one claim changed, or removed if it is null. */
	public String claim(String name, Object value) {
		JWTClaimsSet claims = new JWTClaimsSet.Builder(claims()).claim(name, value).build();
		return sign(header(JWSAlgorithm.ES256).build(), claims, () -> new ECDSASigner(this.key));
	}

	/** A correctly signed token that expired some seconds ago. */
	public String expired(long seconds) {
		return claim("exp", Date.from(Instant.now().minusSeconds(seconds)));
	}

	/** Tokens with forged signatures, by description. */
	public Map<String, String> forgeries() throws JOSEException {
		ECKey otherKey = new ECKeyGenerator(Curve.P_256).keyID("other").generate();
		RSAKey rsa = new RSAKeyGenerator(2048).generate();
		byte[] published = this.key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
		byte[] encoded = this.key.toECPublicKey().getEncoded();
		Map<String, String> forgeries = new LinkedHashMap<>();
		forgeries.put("alg none", new PlainJWT(new PlainHeader.Builder().build(), claims()).serialize());
		forgeries.put("alg none with a kid", unsigned("{\"alg\":\"none\",\"kid\":\"" + this.key.getKeyID() + "\"}"));
		forgeries.put("ES256 without a signature",
				unsigned("{\"alg\":\"ES256\",\"kid\":\"" + this.key.getKeyID() + "\"}"));
		forgeries.put("HS256 with the published JWK", hmac(published));
		forgeries.put("HS256 with the public key", hmac(encoded));
		forgeries.put("known kid, other key", sign(header(JWSAlgorithm.ES256).build(), otherKey));
		forgeries.put("RS256", sign(header(JWSAlgorithm.RS256).build(), claims(), () -> new RSASSASigner(rsa)));
		forgeries.put("jwk in the header",
				sign(header(JWSAlgorithm.ES256).jwk(otherKey.toPublicJWK()).build(), otherKey));
		forgeries.put("jku in the header",
				sign(header(JWSAlgorithm.ES256).jwkURL(URI.create("http://localhost:1/keys")).build(), otherKey));
		for (String kid : List.of("../../../../dev/null", "' or '1'='1", "other", "")) {
			forgeries.put("kid " + kid, sign(header(JWSAlgorithm.ES256).keyID(kid).build(), otherKey));
		}
		forgeries.put("another type of token",
				sign(header(JWSAlgorithm.ES256).type(new JOSEObjectType("logout+jwt")).build(), this.key));
		forgeries.put("no kid", sign(new JWSHeader.Builder(JWSAlgorithm.ES256).build(), otherKey));
		forgeries.put("claims replaced", replaced());
		return forgeries;
	}

	private JWTClaimsSet claims() {
		Instant now = Instant.now();
		return new JWTClaimsSet.Builder().issuer("http://localhost:8080")
			.audience("mailroom")
			.subject(this.account)
			.claim("sid", this.session)
			.claim("scope", "account")
			.jwtID(UUID.randomUUID().toString())
			.issueTime(Date.from(now.minusSeconds(300)))
			.expirationTime(Date.from(now.plusSeconds(900)))
			.build();
	}

	private JWSHeader.Builder header(JWSAlgorithm algorithm) {
		return new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).keyID(this.key.getKeyID());
	}

	private String sign(JWSHeader header, ECKey key) {
		return sign(header, claims(), () -> new ECDSASigner(key));
	}

	private String hmac(byte[] secret) {
		return sign(header(JWSAlgorithm.HS256).build(), claims(), () -> new MACSigner(secret));
	}

	private String unsigned(String header) {
		Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
		return base64.encodeToString(header.getBytes(StandardCharsets.UTF_8)) + "."
				+ base64.encodeToString(claims().toString().getBytes(StandardCharsets.UTF_8)) + ".";
	}

	private String replaced() {
		String[] parts = claim("scope", "account").split("\\.", -1);
		String[] operator = claim("scope", "account operator").split("\\.", -1);
		return parts[0] + "." + operator[1] + "." + parts[2];
	}

	private static String sign(JWSHeader header, JWTClaimsSet claims, SignerFactory signer) {
		try {
			SignedJWT token = new SignedJWT(header, claims);
			token.sign(signer.create());
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ECKey key(Seal seal, String kid) throws Exception {
		try (Connection connection = TestDatabase.connect("mailroom");
				ResultSet rows = connection.createStatement()
					.executeQuery("select sealed_jwk from signing_key where id = '" + kid + "'")) {
			rows.next();
			byte[] jwk = seal.open(rows.getBytes(1), TokenKey.place(UUID.fromString(kid)));
			return ECKey.parse(new String(jwk, StandardCharsets.UTF_8));
		}
	}

	private interface SignerFactory {

		JWSSigner create() throws JOSEException;

	}

}
