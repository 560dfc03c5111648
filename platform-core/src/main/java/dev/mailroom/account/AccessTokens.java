package dev.mailroom.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.stereotype.Service;

/**
 * Issues the tokens that people show with each request, and reads them. The algorithm is
 * ours to say, never the token's; a token's session must stand, so that whatever ends the
 * session ends the token with it.
 */
@Service
public class AccessTokens {

	static final Duration LIFETIME = Duration.ofMinutes(15);

	/** How far clocks may be apart. */
	private static final Duration SKEW = Duration.ofSeconds(30);

	/** The value of the {@code scope} claim that names an operator. */
	private static final String OPERATOR = "operator";

	private final KeyRing ring;

	private final SessionStore sessions;

	private final TokenSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	private final NimbusReactiveJwtDecoder decoder;

	AccessTokens(KeyRing ring, SessionStore sessions, TokenSettings settings, NoArgGenerator ids, Clock clock) {
		this.ring = ring;
		this.sessions = sessions;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
		this.decoder = NimbusReactiveJwtDecoder.withJwkSource(this::key).jwsAlgorithm(SignatureAlgorithm.ES256).build();
		JwtTimestampValidator times = new JwtTimestampValidator(SKEW);
		times.setAllowEmptyExpiryClaim(false);
		times.setClock(clock);
		this.decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(List.of(times, JwtTypeValidator.jwt(),
				new JwtIssuerValidator(settings.issuer()), new JwtAudienceValidator(settings.audience()))));
	}

	/** The token of a session that has just begun or gone on. */
	Mono<Secret> issue(Account account, UUID session) {
		return this.ring.current().map((it) -> {
			Instant now = this.clock.instant();
			return signed(it.signer(now), claims(account, session, now));
		});
	}

	/** Who shows this token; empty where it is not good, whatever the reason. */
	public Mono<Claims> read(String token) {
		return this.decoder.decode(token)
			.onErrorResume(BadJwtException.class, (_) -> Mono.empty())
			// What is left is a fault of ours, such as a database that is away.
			.onErrorMap((error) -> (error.getCause() != null) ? error.getCause() : error)
			.onErrorResume(JOSEException.class, (_) -> Mono.empty())
			.flatMap(this::standing);
	}

	/** The public keys as a JWK set (RFC 7517). */
	public Mono<Map<String, Object>> published() {
		return this.ring.current().map((it) -> it.published().toJSONObject(true));
	}

	private Flux<JWK> key(SignedJWT token) {
		String kid = token.getHeader().getKeyID();
		return (kid != null) ? this.ring.named(kid).flux() : Flux.empty();
	}

	private Mono<Claims> standing(Jwt token) {
		UUID account = id(token.getSubject());
		UUID session = id(token.getClaimAsString("sid"));
		if (account == null || session == null) {
			return Mono.empty();
		}
		return this.sessions.stands(session, account)
			.filter((stands) -> stands)
			.map((_) -> new Claims(Scope.of(account), operator(token)));
	}

	private JwtClaimsSet claims(Account account, UUID session, Instant now) {
		return JwtClaimsSet.builder()
			.issuer(this.settings.issuer())
			.audience(List.of(this.settings.audience()))
			.subject(account.id().toString())
			.claim("scope", account.operator() ? "account " + OPERATOR : "account")
			.claim("sid", session.toString())
			.id(this.ids.generate().toString())
			.issuedAt(now)
			.expiresAt(now.plus(LIFETIME))
			.build();
	}

	private static Secret signed(ECKey key, JwtClaimsSet claims) {
		JwsHeader header = JwsHeader.with(SignatureAlgorithm.ES256).keyId(key.getKeyID()).type("JWT").build();
		NimbusJwtEncoder encoder = new NimbusJwtEncoder(new ImmutableJWKSet<>(new JWKSet(key)));
		return Secret.of(encoder.encode(JwtEncoderParameters.from(header, claims)).getTokenValue());
	}

	private static boolean operator(Jwt token) {
		String scope = token.getClaimAsString("scope");
		return scope != null && List.of(scope.split(" ")).contains(OPERATOR);
	}

	private static @Nullable UUID id(@Nullable String text) {
		try {
			return (text != null) ? UUID.fromString(text) : null;
		}
		catch (IllegalArgumentException _) {
			return null;
		}
	}

	/**
	 * Claims of a verified access token.
	 *
	 * @param scope the account that signed in
	 * @param operator whether the account may use the operators' part of the admin app
	 */
	public record Claims(Scope scope, boolean operator) {
	}

}
