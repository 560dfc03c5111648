package dev.mailroom.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

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
 * Issues and verifies access tokens: JWTs (RFC 7519) signed with ES256. A token is valid
 * until it expires or its session ends.
 */
@Service
public class AccessTokens {

	/** Lifetime of an access token. */
	public static final Duration LIFETIME = Duration.ofMinutes(15);

	/** Largest accepted difference between the clocks of two instances. */
	private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

	private final KeyRing keys;

	private final SessionStore sessions;

	private final Members members;

	private final TokenSettings settings;

	private final Cell cell;

	private final NoArgGenerator ids;

	private final Clock clock;

	private final NimbusReactiveJwtDecoder decoder;

	AccessTokens(KeyRing keys, SessionStore sessions, Members members, TokenSettings settings, Cell cell,
			NoArgGenerator ids, Clock clock) {
		this.keys = keys;
		this.sessions = sessions;
		this.members = members;
		this.settings = settings;
		this.cell = cell;
		this.ids = ids;
		this.clock = clock;
		this.decoder = NimbusReactiveJwtDecoder.withJwkSource(this::verificationKey)
			.jwsAlgorithm(SignatureAlgorithm.ES256)
			.build();
		JwtTimestampValidator times = new JwtTimestampValidator(CLOCK_SKEW);
		times.setAllowEmptyExpiryClaim(false);
		times.setClock(clock);
		this.decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(List.of(times, JwtTypeValidator.jwt(),
				new JwtIssuerValidator(settings.issuer()), new JwtAudienceValidator(settings.audience()))));
	}

	/**
	 * Issues an access token for a session; empty if the person belongs to no account.
	 * @param grant the use that the token permits
	 * @param email address of the person
	 */
	public Mono<Secret> issue(SignInSession session, Grant grant, String email) {
		return this.members.of(session.accountId()).flatMap((member) -> this.keys.current().map((keys) -> {
			Instant now = this.clock.instant();
			JwtClaimsSet.Builder claims = claims(session, member, grant, now);
			if (grant == Grant.OPERATOR && !this.cell.name().isEmpty()) {
				claims.claim(VisitingOperators.ADDRESS, email);
			}
			return sign(keys.signer(now), claims.build());
		}));
	}

	/** Verifies a token; empty if it is invalid, expired or its session has ended. */
	public Mono<Claims> read(String token) {
		return this.decoder.decode(token)
			.onErrorResume(BadJwtException.class, (_) -> Mono.empty())
			// Other errors, such as an unavailable database, are not the token's fault.
			.onErrorMap((error) -> (error.getCause() != null) ? error.getCause() : error)
			.onErrorResume(JOSEException.class, (_) -> Mono.empty())
			.flatMap(this::withSession);
	}

	/** The public keys as a JWK set (RFC 7517). */
	public Mono<Map<String, Object>> publicKeys() {
		return this.keys.current().map((keys) -> keys.published().toJSONObject(true));
	}

	private Flux<JWK> verificationKey(SignedJWT token) {
		String kid = token.getHeader().getKeyID();
		return (kid != null) ? this.keys.named(kid).flux() : Flux.empty();
	}

	private Mono<Claims> withSession(Jwt token) {
		UUID person = uuid(token.getSubject());
		UUID session = uuid(token.getClaimAsString("sid"));
		if (person == null || session == null) {
			return Mono.empty();
		}
		return this.sessions.member(session, person)
			.map((member) -> new Claims(member.scope(), session, Grant.of(token.getClaimAsString("scope")),
					member.role()));
	}

	private JwtClaimsSet.Builder claims(SignInSession session, Membership member, Grant grant, Instant now) {
		JwtClaimsSet.Builder claims = JwtClaimsSet.builder()
			.issuer(this.settings.issuer())
			.audience(List.of(this.settings.audience()))
			.subject(session.accountId().toString())
			.claim("account", member.account().toString())
			.claim("role", member.role().contractName())
			.claim("scope", grant.scope)
			.claim("sid", session.id().toString())
			.id(this.ids.generate().toString())
			.issuedAt(now)
			.expiresAt(now.plus(LIFETIME));
		if (!this.cell.name().isEmpty()) {
			claims.claim(Cell.CLAIM, this.cell.name());
		}
		return claims;
	}

	private static Secret sign(ECKey key, JwtClaimsSet claims) {
		JwsHeader header = JwsHeader.with(SignatureAlgorithm.ES256).keyId(key.getKeyID()).type("JWT").build();
		NimbusJwtEncoder encoder = new NimbusJwtEncoder(new ImmutableJWKSet<>(new JWKSet(key)));
		return Secret.of(encoder.encode(JwtEncoderParameters.from(header, claims)).getTokenValue());
	}

	private static @Nullable UUID uuid(@Nullable String text) {
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
	 * @param scope the account, used by the person who signed in
	 * @param session id of the session
	 * @param grant the use that the token permits
	 * @param role the person's present role, which may differ from that in the token
	 */
	public record Claims(Scope scope, UUID session, Grant grant, MemberRole role) {
	}

	/** Uses that an access token permits, with their {@code scope} claims. */
	public enum Grant {

		/** The use of the account. */
		ACCOUNT("account"),
		/** The use of the account and of the operators' part of the admin app. */
		OPERATOR("account operator"),
		/** Only the setting up of a second factor. */
		ENROLMENT("enrolment");

		private final String scope;

		Grant(String scope) {
			this.scope = scope;
		}

		static Grant of(@Nullable String scope) {
			return Stream.of(OPERATOR, ENROLMENT)
				.filter((grant) -> grant.scope.equals(scope))
				.findFirst()
				.orElse(ACCOUNT);
		}

	}

}
