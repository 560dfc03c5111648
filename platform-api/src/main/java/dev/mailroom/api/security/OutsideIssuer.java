package dev.mailroom.api.security;

import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.nimbusds.jwt.JWTParser;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Identities;
import dev.mailroom.account.Identity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
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
import org.springframework.web.reactive.function.client.WebClient;

/**
 * An OIDC issuer outside, where one is configured: its keys come from its discovery
 * document, at the first need, and only signatures by a key pair are taken.
 */
@Component
class OutsideIssuer {

	private static final Logger log = LoggerFactory.getLogger(OutsideIssuer.class);

	private static final Refusal UNREACHABLE = Refusal.unavailable("Service unavailable");

	private static final Set<SignatureAlgorithm> ALGORITHMS = Set.of(SignatureAlgorithm.RS256, SignatureAlgorithm.PS256,
			SignatureAlgorithm.ES256);

	private static final Duration SKEW = Duration.ofSeconds(30);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final OidcSettings settings;

	private final Identities identities;

	private final ReactiveJwtDecoder decoder;

	OutsideIssuer(OidcSettings settings, Identities identities, Clock clock) {
		this.settings = settings;
		this.identities = identities;
		this.decoder = settings.issuer().isEmpty() ? (_) -> Mono.empty() : decoder(settings, clock);
	}

	/** Whether the token says that it is this issuer's. */
	boolean issued(String token) {
		try {
			return !this.settings.issuer().isEmpty()
					&& this.settings.issuer().equals(JWTParser.parse(token).getJWTClaimsSet().getIssuer());
		}
		catch (ParseException _) {
			return false;
		}
	}

	/** Whose token it is; empty where it is not good, whatever the reason. */
	Mono<Scope> read(String token) {
		return this.decoder.decode(token)
			.onErrorResume(BadJwtException.class, (_) -> Mono.empty())
			.onErrorMap(OutsideIssuer::unreachable)
			.mapNotNull(this::identity)
			.flatMap(this.identities::scopeOf);
	}

	/** Its address counts only where the issuer says that it is verified. */
	private @Nullable Identity identity(Jwt token) {
		@Nullable String subject = token.getSubject();
		if (subject == null || subject.isBlank()) {
			return null;
		}
		boolean vouched = Boolean.TRUE.equals(token.getClaims().get("email_verified"));
		EmailAddress email = Optional.ofNullable(token.getClaimAsString("email"))
			.filter((_) -> vouched)
			.flatMap(EmailAddress::parse)
			.orElse(null);
		String name = Optional.ofNullable(token.getClaimAsString("name")).orElse("");
		return new Identity(this.settings.issuer(), subject, email, name);
	}

	private static Throwable unreachable(Throwable error) {
		log.warn("The outside issuer's keys cannot be had", error);
		return UNREACHABLE.because("The issuer of this token cannot be reached: try again shortly.")
			.retryAfter(PATIENCE);
	}

	private static ReactiveJwtDecoder decoder(OidcSettings settings, Clock clock) {
		HttpClient http = HttpClient.create().responseTimeout(PATIENCE);
		NimbusReactiveJwtDecoder decoder = NimbusReactiveJwtDecoder.withIssuerLocation(settings.issuer())
			.jwsAlgorithms((algorithms) -> algorithms.addAll(ALGORITHMS))
			.webClient(WebClient.builder().clientConnector(new ReactorClientHttpConnector(http)).build())
			.build();
		JwtTimestampValidator times = new JwtTimestampValidator(SKEW);
		times.setAllowEmptyExpiryClaim(false);
		times.setClock(clock);
		JwtTypeValidator types = new JwtTypeValidator("JWT", "at+jwt");
		types.setAllowEmpty(true);
		decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(List.of(times, types,
				new JwtIssuerValidator(settings.issuer()), new JwtAudienceValidator(settings.audience()))));
		return decoder;
	}

}
