package dev.mailroom.api.security;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.account.Caller;
import dev.mailroom.account.MemberRole;
import dev.mailroom.account.Permission;
import dev.mailroom.http.CallerToken;
import dev.mailroom.http.ErrorWriter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authorization.ServerAccessDeniedHandler;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedException;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedHandler;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Writes the responses for missing and insufficient credentials in the error format. */
@Component
class SecurityResponses
		implements ServerAuthenticationEntryPoint, ServerAccessDeniedHandler, ServerExchangeRejectedHandler {

	private static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final String KEY_REQUIRED = "This route requires an API key with the permission for it.";

	private final ErrorWriter errors;

	SecurityResponses(ErrorWriter errors) {
		this.errors = errors;
	}

	/** The message is the same for all invalid credentials. */
	static Refused unauthorized() {
		return UNAUTHORIZED.because("Send a valid access token or API key as Authorization: Bearer <token>.");
	}

	@Override
	public Mono<Void> commence(ServerWebExchange exchange, AuthenticationException error) {
		return this.errors.write(exchange, unauthorized());
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, AccessDeniedException denied) {
		return exchange.getPrincipal()
			.ofType(CallerToken.class)
			.map((token) -> message(token.caller(), exchange))
			.defaultIfEmpty(KEY_REQUIRED)
			.flatMap((message) -> this.errors.write(exchange, FORBIDDEN.because(message)));
	}

	private static String message(Caller caller, ServerWebExchange exchange) {
		if (caller.role() == Caller.Role.ENROLLING) {
			return "Operators need a second factor: set one up with POST /auth/totp, then refresh the token.";
		}
		if (caller.isPerson()) {
			return (caller.member() == MemberRole.OWNER) ? KEY_REQUIRED
					: "Your role in this account, " + caller.member().contractName() + ", does not permit this.";
		}
		return caller.isAccountKey() ? message(exchange)
				: "This API key does not have the permission: sign in, or use a key that has it.";
	}

	/** Names the permission that the key of an account lacks, also in the header. */
	private static String message(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		@Nullable Permission missing = Routes.permission(request.getMethod(), request.getPath().pathWithinApplication());
		if (missing == null) {
			return "API keys do not permit this: sign in and send the access token.";
		}
		exchange.getResponse()
			.getHeaders()
			.set(HttpHeaders.WWW_AUTHENTICATE,
					"Bearer error=\"insufficient_scope\", scope=\"" + missing.contractName() + "\"");
		return "This API key does not have the permission " + missing.contractName() + ".";
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, ServerExchangeRejectedException rejected) {
		return this.errors.write(exchange, Refusal.INVALID_REQUEST
			.because("The request's path or headers contain characters that are not allowed."));
	}

}
