package dev.mailroom.account;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** OIDC issuer on loopback with a discovery document, a key set and signed tokens. */
public final class TestIssuer implements AutoCloseable {

	private static final String DISCOVERY = "/.well-known/openid-configuration";

	private static final String KEYS = "/keys";

	private final HttpServer server;

	private final Map<String, String> documents = new ConcurrentHashMap<>();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private volatile RSAKey key = generateKey("outside");

	public TestIssuer() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::answer);
		this.server.start();
		publishDiscovery(DISCOVERY, issuer());
		publishKey();
	}

	/** Issuer identifier. */
	public String issuer() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	/** The key that signs at present. */
	public RSAKey key() {
		return this.key;
	}

	/** Paths of the requests so far, in order. */
	List<String> requests() {
		return List.copyOf(this.requests);
	}

	/** Serves the discovery document of an issuer at a path. */
	void publishDiscovery(String path, String issuer) {
		this.documents.put(path, """
				{"issuer":"%s","jwks_uri":"%s","subject_types_supported":["public"],
				 "id_token_signing_alg_values_supported":["RS256"]}""".formatted(issuer, issuer() + KEYS));
	}

	/** Serves another document at a path. */
	void publish(String path, String document) {
		this.documents.put(path, document);
	}

	/** Answers 404 for a path from now on. */
	void remove(String path) {
		this.documents.remove(path);
	}

	/** Replaces the key by another one with another key id. */
	void rotate() {
		this.key = generateKey(this.key.getKeyID() + "+");
		publishKey();
	}

	/** Claims of a valid token. */
	public JWTClaimsSet.Builder claims(String subject) {
		return new JWTClaimsSet.Builder().issuer(issuer())
			.audience("mailroom")
			.subject(subject)
			.issueTime(Date.from(Instant.now().minusSeconds(120)))
			.expirationTime(Date.from(Instant.now().plusSeconds(300)));
	}

	/** A token signed with the issuer's key. */
	public String token(JWTClaimsSet.Builder claims) {
		return token(claims, this.key);
	}

	/** A token signed with any RSA key. */
	public static String token(JWTClaimsSet.Builder claims, RSAKey key) {
		try {
			return token(claims, JWSAlgorithm.RS256, key.getKeyID(), new RSASSASigner(key));
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A token signed with any algorithm. */
	public static String token(JWTClaimsSet.Builder claims, JWSAlgorithm algorithm, String kid, JWSSigner signer) {
		try {
			SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(kid).build(), claims.build());
			token.sign(signer);
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A new RSA key. */
	public static RSAKey generateKey(String kid) {
		try {
			return new RSAKeyGenerator(2048).keyID(kid).generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

	private void publishKey() {
		this.documents.put(KEYS, new JWKSet(this.key.toPublicJWK()).toString());
	}

	private void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			String path = exchange.getRequestURI().getPath();
			this.requests.add(path);
			String document = this.documents.get(path);
			if (document == null) {
				exchange.sendResponseHeaders(404, -1);
				return;
			}
			byte[] body = document.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
		}
	}

}
