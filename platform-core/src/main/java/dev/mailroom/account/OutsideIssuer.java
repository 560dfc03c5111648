package dev.mailroom.account;

import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTParser;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Identities.Identity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.stereotype.Component;

/**
 * Reads access tokens of the configured outside OIDC issuer. Only asymmetric signatures
 * are accepted.
 */
@Component
class OutsideIssuer implements DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(OutsideIssuer.class);

	private static final Refusal UNREACHABLE = Refusal.unavailable("Service unavailable");

	/** Largest accepted difference between the issuer's clock and this one. */
	private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

	private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

	private final OidcSettings settings;

	private final Identities identities;

	private final IssuerKeys keys;

	/** Decoders by the {@code alg} header that they accept. */
	private final Map<String, ReactiveJwtDecoder> decoders;

	OutsideIssuer(OidcSettings settings, Identities identities, Clock clock) {
		this.settings = settings;
		this.identities = identities;
		this.keys = new IssuerKeys(settings.issuer(), clock);
		OAuth2TokenValidator<Jwt> validator = validator(settings, clock);
		this.decoders = Stream.of(SignatureAlgorithm.RS256, SignatureAlgorithm.PS256, SignatureAlgorithm.ES256)
			.collect(Collectors.toMap(SignatureAlgorithm::getName, (algorithm) -> decoder(algorithm, validator)));
	}

	/**
	 * Whether an issuer is configured and the token names it in its {@code iss} claim.
	 */
	boolean issued(String token) {
		return !this.settings.issuer().isEmpty()
				&& claim(token, (jwt) -> jwt.getJWTClaimsSet().getIssuer()).filter(this.settings.issuer()::equals)
					.isPresent();
	}

	/**
	 * Returns the scope of the account that belongs to the token's subject; empty if the
	 * token is invalid.
	 * @throws dev.mailroom.Refused {@code Service unavailable} if the issuer's keys
	 * cannot be read
	 */
	Mono<Scope> read(String token) {
		return Mono.justOrEmpty(claim(token, (jwt) -> jwt.getHeader().getAlgorithm().getName()).map(this.decoders::get))
			.flatMap((decoder) -> decoder.decode(token))
			.onErrorResume(BadJwtException.class, (_) -> Mono.empty())
			.onErrorMap(OutsideIssuer::unreachable)
			.mapNotNull(this::identity)
			.flatMap(this.identities::scopeOf);
	}

	@Override
	public void destroy() {
		this.keys.close();
	}

	/** The address is used only if the issuer states that it is verified. */
	private @Nullable Identity identity(Jwt token) {
		@Nullable String subject = token.getSubject();
		if (subject == null || subject.isBlank()) {
			return null;
		}
		boolean verified = Boolean.TRUE.equals(token.getClaims().get("email_verified"));
		EmailAddress email = Optional.ofNullable(token.getClaimAsString("email"))
			.filter((_) -> verified)
			.flatMap(EmailAddress::parse)
			.orElse(null);
		String name = Optional.ofNullable(token.getClaimAsString("name")).orElse("");
		return new Identity(this.settings.issuer(), subject, email, name);
	}

	private ReactiveJwtDecoder decoder(SignatureAlgorithm algorithm, OAuth2TokenValidator<Jwt> validator) {
		NimbusReactiveJwtDecoder decoder = NimbusReactiveJwtDecoder
			.withJwkSource((token) -> this.keys.of(token.getHeader().getKeyID()))
			.jwsAlgorithm(algorithm)
			.build();
		decoder.setJwtValidator(validator);
		return decoder;
	}

	/** The checks of the claims of an issuer's tokens. */
	static OAuth2TokenValidator<Jwt> validator(OidcSettings settings, Clock clock) {
		JwtTimestampValidator times = new JwtTimestampValidator(CLOCK_SKEW);
		times.setAllowEmptyExpiryClaim(false);
		times.setClock(clock);
		JwtTypeValidator types = new JwtTypeValidator("JWT", "at+jwt");
		types.setAllowEmpty(true);
		return new DelegatingOAuth2TokenValidator<>(List.of(times, types, new JwtIssuerValidator(settings.issuer()),
				new JwtAudienceValidator(settings.audience())));
	}

	private static Throwable unreachable(Throwable error) {
		log.warn("The keys of the outside issuer cannot be read", error);
		return UNREACHABLE.because("The issuer of this token cannot be reached: try again shortly.")
			.retryAfter(RETRY_AFTER);
	}

	private static Optional<String> claim(String token, Claim claim) {
		try {
			return Optional.ofNullable(claim.of(JWTParser.parse(token)));
		}
		catch (ParseException _) {
			return Optional.empty();
		}
	}

	/** One value of a parsed but not yet verified token. */
	@FunctionalInterface
	private interface Claim {

		@Nullable String of(JWT token) throws ParseException;

	}

}
