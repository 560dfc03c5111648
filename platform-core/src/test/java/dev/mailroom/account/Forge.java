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
import dev.mailroom.seal.Seal;

/**
 * Makes access tokens that are nearly right: from the platform's own key where a claim is
 * to be at fault, and from others where the signature is.
 */
public final class Forge {

	private final ECKey ours;

	private final String account;

	private final String session;

	/**
	 * Forges tokens for a session that stands.
	 * @param seal opens the platform's signing key
	 * @param good a token that is good
	 */
	public Forge(Seal seal, String good) {
		try {
			SignedJWT token = SignedJWT.parse(good);
			this.ours = key(seal, token.getHeader().getKeyID());
			this.account = token.getJWTClaimsSet().getSubject();
			this.session = token.getJWTClaimsSet().getStringClaim("sid");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Signed as it should be, with a claim changed, or left out where it is null. */
	public String claim(String name, Object value) {
		JWTClaimsSet claims = new JWTClaimsSet.Builder(claims()).claim(name, value).build();
		return sign(header(JWSAlgorithm.ES256).build(), claims, () -> new ECDSASigner(this.ours));
	}

	/** Signed as it should be, and past for so many seconds. */
	public String expired(long seconds) {
		return claim("exp", Date.from(Instant.now().minusSeconds(seconds)));
	}

	/** Every trick on the signature, by name. */
	public Map<String, String> tricks() throws JOSEException {
		ECKey theirs = new ECKeyGenerator(Curve.P_256).keyID("theirs").generate();
		RSAKey rsa = new RSAKeyGenerator(2048).generate();
		byte[] published = this.ours.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
		byte[] encoded = this.ours.toECPublicKey().getEncoded();
		Map<String, String> tricks = new LinkedHashMap<>();
		tricks.put("alg none", new PlainJWT(new PlainHeader.Builder().build(), claims()).serialize());
		tricks.put("alg none with a kid", bare("{\"alg\":\"none\",\"kid\":\"" + this.ours.getKeyID() + "\"}"));
		tricks.put("ES256 without a signature", bare("{\"alg\":\"ES256\",\"kid\":\"" + this.ours.getKeyID() + "\"}"));
		tricks.put("HS256 with the published JWK", hmac(published));
		tricks.put("HS256 with the public key", hmac(encoded));
		tricks.put("our kid, their key", sign(header(JWSAlgorithm.ES256).build(), theirs));
		tricks.put("RS256", sign(header(JWSAlgorithm.RS256).build(), claims(), () -> new RSASSASigner(rsa)));
		tricks.put("jwk in the header", sign(header(JWSAlgorithm.ES256).jwk(theirs.toPublicJWK()).build(), theirs));
		tricks.put("jku in the header",
				sign(header(JWSAlgorithm.ES256).jwkURL(URI.create("http://localhost:1/keys")).build(), theirs));
		for (String kid : List.of("../../../../dev/null", "' or '1'='1", "theirs", "")) {
			tricks.put("kid " + kid, sign(header(JWSAlgorithm.ES256).keyID(kid).build(), theirs));
		}
		tricks.put("another type of token",
				sign(header(JWSAlgorithm.ES256).type(new JOSEObjectType("logout+jwt")).build(), this.ours));
		tricks.put("no kid", sign(new JWSHeader.Builder(JWSAlgorithm.ES256).build(), theirs));
		tricks.put("changed afterwards", changed());
		return tricks;
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
		return new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).keyID(this.ours.getKeyID());
	}

	private String sign(JWSHeader header, ECKey key) {
		return sign(header, claims(), () -> new ECDSASigner(key));
	}

	private String hmac(byte[] secret) {
		return sign(header(JWSAlgorithm.HS256).build(), claims(), () -> new MACSigner(secret));
	}

	private String bare(String header) {
		Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
		return base64.encodeToString(header.getBytes(StandardCharsets.UTF_8)) + "."
				+ base64.encodeToString(claims().toString().getBytes(StandardCharsets.UTF_8)) + ".";
	}

	private String changed() {
		String[] parts = claim("scope", "account").split("\\.");
		String[] operator = claim("scope", "account operator").split("\\.");
		return parts[0] + "." + operator[1] + "." + parts[2];
	}

	private static String sign(JWSHeader header, JWTClaimsSet claims, Maker maker) {
		try {
			SignedJWT token = new SignedJWT(header, claims);
			token.sign(maker.make());
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
			byte[] jwk = seal.open(rows.getBytes(1), SigningKey.place(UUID.fromString(kid)));
			return ECKey.parse(new String(jwk, StandardCharsets.UTF_8));
		}
	}

	private interface Maker {

		JWSSigner make() throws JOSEException;

	}

}
