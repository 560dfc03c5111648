package dev.mailroom.account;

import dev.mailroom.Refused;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Authenticates bearer tokens. API keys are recognized by their prefix, tokens of the
 * outside issuer and of other cells by their {@code iss} claim; any other token must be
 * an access token of Mailroom.
 */
@Service
public class Authenticator {

	private final AccessTokens tokens;

	private final OutsideIssuer outside;

	private final ApiKeys keys;

	private final VisitingOperators visitors;

	private final Members members;

	private final Cell cell;

	Authenticator(AccessTokens tokens, OutsideIssuer outside, ApiKeys keys, VisitingOperators visitors, Members members,
			Cell cell) {
		this.visitors = visitors;
		this.members = members;
		this.cell = cell;
		this.tokens = tokens;
		this.outside = outside;
		this.keys = keys;
	}

	/**
	 * Returns the caller that a token belongs to; empty if the token is invalid, expired
	 * or revoked.
	 * @throws dev.mailroom.Refused {@code Misdirected} if another cell has issued the
	 * token, {@code Service unavailable} if the keys of the outside issuer cannot be read
	 */
	public Mono<Caller> authenticate(String token) {
		// Keys of accounts that were moved here name their first cell.
		return this.visitors.read(token)
			.switchIfEmpty(Mono.defer(() -> read(token))
				.onErrorResume(Refused.class, (refused) -> misdirected(token).then(Mono.error(refused)))
				.switchIfEmpty(misdirected(token)));
	}

	private Mono<Caller> misdirected(String token) {
		return Mono.fromRunnable(() -> this.cell.check(token));
	}

	private Mono<Caller> read(String token) {
		if (token.startsWith(ApiKeys.PREFIX)) {
			return this.keys.authenticate(token).map(Caller::apiKey);
		}
		return this.outside.issued(token)
				? this.outside.read(token).flatMap((scope) -> this.members.of(scope.account())).map(Caller::person)
				: this.tokens.read(token).map(Caller::person);
	}

}
