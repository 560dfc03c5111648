package dev.mailroom.http;

import java.io.Serial;
import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.account.Caller;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.web.server.ServerWebExchange;

/**
 * Spring Security's view of a caller. It has no authorities: rules ask the caller itself.
 * The credential is not kept.
 */
public final class CallerToken extends AbstractAuthenticationToken {

	private static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Caller caller;

	CallerToken(Caller caller) {
		super(List.of());
		this.caller = caller;
		setAuthenticated(true);
	}

	/**
	 * The caller of a request.
	 * @throws Refused {@code Unauthorized} without a valid access token
	 */
	public static Mono<Caller> of(ServerWebExchange exchange) {
		return exchange.getPrincipal()
			.ofType(CallerToken.class)
			.map(CallerToken::caller)
			.switchIfEmpty(Mono.error(CallerToken::missing));
	}

	/** The refusal of a missing or invalid access token; the same for all of them. */
	public static Refused missing() {
		return UNAUTHORIZED.because("Send a valid access token as Authorization: Bearer <token>.");
	}

	public Caller caller() {
		return this.caller;
	}

	@Override
	public @Nullable Object getCredentials() {
		return null;
	}

	@Override
	public Object getPrincipal() {
		return this.caller.scope().account();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof CallerToken token && token.caller.equals(this.caller) && super.equals(other);
	}

	@Override
	public int hashCode() {
		return this.caller.hashCode();
	}

}
