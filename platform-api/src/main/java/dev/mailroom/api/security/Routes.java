package dev.mailroom.api.security;

import java.util.Map;
import java.util.TreeMap;

import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Right;
import dev.mailroom.http.CallerToken;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.config.web.server.ServerHttpSecurity.AuthorizeExchangeSpec;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;

import static dev.mailroom.http.CallerToken.ENROLMENT;
import static dev.mailroom.http.CallerToken.PERSON;

/** Authorization rules: the credential that each route requires. */
final class Routes {

	/**
	 * Paths that need a credential, except those of {@code SIGN_IN}; all others are
	 * public.
	 */
	private static final Paths API = Paths.any("/api", "/api/**");

	private static final Paths SIGN_IN = Paths.of(HttpMethod.POST, "/api/auth/register", "/api/auth/verify-email",
			"/api/auth/verify-email/resend", "/api/auth/login", "/api/auth/refresh", "/api/auth/logout",
			"/api/auth/login/totp", "/api/auth/password/*", "/api/team/invitations/accept");

	/** The right that changes below a path require. Reading requires none. */
	private static final Map<String, Right> CHANGES = new TreeMap<>(Map.of("/api/auth/**", Right.OWN_SIGN_IN,
			"/api/domains/**", Right.DOMAINS, "/api/api-keys/**", Right.API_KEYS, "/api/templates/**", Right.TEMPLATES,
			"/api/webhooks/**", Right.WEBHOOKS, "/api/contact-books/**", Right.CONTACTS, "/api/campaigns/**",
			Right.CAMPAIGNS, "/api/suppressions/**", Right.SUPPRESSIONS, "/api/team/**", Right.MEMBERS));

	private Routes() {
	}

	/** Matches public routes, on which credentials are ignored. */
	static ServerWebExchangeMatcher open() {
		return (exchange) -> isOpen(exchange.getRequest()) ? MatchResult.match() : MatchResult.notMatch();
	}

	private static boolean isOpen(ServerHttpRequest request) {
		return !API.match(request) || SIGN_IN.match(request);
	}

	/** Configures the rules of all routes. */
	static void rules(AuthorizeExchangeSpec routes) {
		routes.matchers(open()).permitAll();
		routes.matchers(Paths.of(HttpMethod.POST, "/api/emails", "/api/emails/batch"))
			.hasAnyAuthority(ApiKeys.SEND, ApiKeys.EVERYTHING);
		read(routes, "emails.read", "/api/emails/logs", "/api/emails/{id}", "/api/emails/{id}/events",
				"/api/emails/{id}/attempts");
		read(routes, "inbound.read", "/api/inbound/**");
		read(routes, "analytics.read", "/api/analytics/**");
		routes.matchers(Paths.of(HttpMethod.PATCH, "/api/emails/{id}"))
			.hasAnyAuthority(CallerToken.authority(Right.SEND), ApiKeys.SEND, ApiKeys.EVERYTHING);
		routes.matchers(Paths.of(HttpMethod.POST, "/api/emails/{id}/cancel"))
			.hasAnyAuthority(CallerToken.authority(Right.SEND), ApiKeys.SEND, ApiKeys.EVERYTHING);
		routes.matchers(Paths.of(HttpMethod.POST, "/api/auth/totp", "/api/auth/totp/confirm"))
			.hasAnyAuthority(PERSON, ENROLMENT);
		routes.matchers(Paths.of(HttpMethod.GET, "/api/auth/me")).hasAnyAuthority(PERSON, ENROLMENT);
		CHANGES
			.forEach((path, right) -> routes.matchers(Paths.changes(path)).hasAuthority(CallerToken.authority(right)));
		routes.matchers(Paths.changes("/api/**")).hasAuthority(CallerToken.authority(Right.ACCOUNT));
		routes.anyExchange().hasAuthority(PERSON);
	}

	private static void read(AuthorizeExchangeSpec routes, String permission, String... paths) {
		routes.matchers(Paths.of(HttpMethod.GET, paths)).hasAnyAuthority(PERSON, ApiKeys.EVERYTHING, permission);
		routes.matchers(Paths.of(HttpMethod.HEAD, paths)).hasAnyAuthority(PERSON, ApiKeys.EVERYTHING, permission);
	}

}
