package dev.mailroom.account;

import java.net.URI;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.nimbusds.jwt.JWTParser;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.WrongSetting;
import dev.mailroom.account.AccessTokens.Grant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.stereotype.Component;

/**
 * Operators who signed in to another cell and use the console for this one. Their access
 * token is verified with the keys that their cell publishes, and stands for the
 * operator's account of the same address in this cell. Such a caller has no other right
 * in that account. Tokens of tenants stay bound to their cell.
 */
@Component
class VisitingOperators implements DisposableBean {

	/** The claim of an operator's access token with the verified address. */
	static final String ADDRESS = "email";

	private static final Logger log = LoggerFactory.getLogger(VisitingOperators.class);

	private static final Refusal UNREACHABLE = Refusal.unavailable("Service unavailable");

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

	/** The other cells by their issuer. */
	private final Map<String, Neighbour> neighbours = new HashMap<>();

	private final AccountStore accounts;

	VisitingOperators(Settings settings, TokenSettings tokens, AccountStore accounts, Clock clock) {
		this.accounts = accounts;
		settings.cells().forEach((name, url) -> {
			if (!name.equals(settings.name())) {
				IssuerKeys keys = IssuerKeys.at(URI.create(url + "/.well-known/jwks.json"), clock);
				this.neighbours.put(url,
						new Neighbour(name, keys, decoder(keys, new OidcSettings(url, tokens.audience()), clock)));
			}
		});
	}

	/**
	 * The operator whom another cell has issued a token for; empty for all other tokens.
	 * @throws dev.mailroom.Refused {@code Forbidden} if the operator is none in this
	 * cell, {@code Service unavailable} if the keys of the other cell cannot be read
	 */
	Mono<Caller> read(String token) {
		if (this.neighbours.isEmpty()) {
			return Mono.empty();
		}
		return Mono.justOrEmpty(issuer(token).map(this.neighbours::get))
			.flatMap((neighbour) -> neighbour.decoder()
				.decode(token)
				.onErrorResume(BadJwtException.class, (_) -> Mono.empty())
				.onErrorMap((error) -> unreachable(neighbour, error))
				.filter((jwt) -> neighbour.name().equals(jwt.getClaimAsString(Cell.CLAIM))
						&& Grant.of(jwt.getClaimAsString("scope")) == Grant.OPERATOR)
				.flatMap((jwt) -> caller(jwt, neighbour)));
	}

	private Mono<Caller> caller(Jwt token, Neighbour neighbour) {
		return Mono.justOrEmpty(Optional.ofNullable(token.getClaimAsString(ADDRESS)).flatMap(EmailAddress::parse))
			.flatMap(this.accounts::findByEmail)
			.filter((account) -> account.verified() && account.role().equals("operator"))
			.map((account) -> new Caller(Scope.of(account.accountId()), Caller.Kind.PERSON, Caller.Role.OPERATOR,
					MemberRole.VIEWER, null, Set.of()))
			.switchIfEmpty(Mono.error(() -> FORBIDDEN.because("You are an operator of the cell " + neighbour.name()
					+ ", but this cell has no operator's account with your address.")));
	}

	@Override
	public void destroy() {
		this.neighbours.values().forEach((neighbour) -> neighbour.keys().close());
	}

	private static ReactiveJwtDecoder decoder(IssuerKeys keys, OidcSettings settings, Clock clock) {
		NimbusReactiveJwtDecoder decoder = NimbusReactiveJwtDecoder
			.withJwkSource((token) -> keys.of(token.getHeader().getKeyID()))
			.jwsAlgorithm(SignatureAlgorithm.ES256)
			.build();
		decoder.setJwtValidator(OutsideIssuer.validator(settings, clock));
		return decoder;
	}

	private static Throwable unreachable(Neighbour neighbour, Throwable error) {
		log.warn("The keys of the cell {} cannot be read", neighbour.name(), error);
		return UNREACHABLE.because("The cell " + neighbour.name() + ", which has issued the token, cannot be reached.")
			.retryAfter(RETRY_AFTER);
	}

	private static Optional<String> issuer(String token) {
		try {
			return Optional.ofNullable(JWTParser.parse(token).getJWTClaimsSet().getIssuer());
		}
		catch (ParseException _) {
			return Optional.empty();
		}
	}

	/** A cell whose operators are accepted. */
	private record Neighbour(String name, IssuerKeys keys, ReactiveJwtDecoder decoder) {
	}

	/**
	 * The cells that the console shows.
	 *
	 * @param name name of this cell
	 * @param all names of all cells and the public URLs of their APIs, as
	 * {@code name=URL}, separated by commas; empty for none
	 */
	@ConfigurationProperties("mailroom.cell")
	record Settings(@DefaultValue("") String name, @DefaultValue List<String> all) {

		Settings {
			all = List.copyOf(all);
			for (String cell : all) {
				if (!cell.matches("[a-z][a-z0-9]{1,3}=https?://[^\\s/]+(/.*)?")) {
					throw new WrongSetting("MAILROOM_CELLS", String.join(",", all),
							"the names of all cells with the public URLs of their APIs, as eu1=https://eu1.mail.example");
				}
			}
			if (!all.isEmpty() && all.stream().noneMatch((cell) -> cell.startsWith(name + "="))) {
				throw new WrongSetting("MAILROOM_CELLS", String.join(",", all),
						"a list with this cell, which MAILROOM_CELL names");
			}
		}

		/** URLs by the name of the cell. */
		Map<String, String> cells() {
			Map<String, String> cells = new HashMap<>();
			this.all.forEach(
					(cell) -> cells.put(cell.substring(0, cell.indexOf('=')), cell.substring(cell.indexOf('=') + 1)));
			return cells;
		}

	}

}
