package dev.mailroom.api.security;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.mailroom.account.Caller;
import dev.mailroom.account.Permission;
import dev.mailroom.account.Right;
import dev.mailroom.http.CallerToken;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.web.server.ServerHttpSecurity.AuthorizeExchangeSpec;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;

import static java.util.Map.entry;

/** Authorization rules: the credential that each route requires. */
final class Routes {

	private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

	/**
	 * Paths that need a credential, except those of {@code SIGN_IN}; all others are
	 * public.
	 */
	private static final Paths API = Paths.any("/api", "/api/**", "/compat/**", "/mcp");

	/** Paths for clients of another API. Their rules are those of the same path here. */
	private static final String COMPAT = "/compat/resend/";

	private static final Paths SIGN_IN = Paths.of(HttpMethod.POST, "/api/auth/register", "/api/auth/verify-email",
			"/api/auth/verify-email/resend", "/api/auth/login", "/api/auth/refresh", "/api/auth/logout",
			"/api/auth/login/totp", "/api/auth/password/*", "/api/team/invitations/accept");

	private static final Paths SENDS = Paths.of(HttpMethod.POST, "/api/emails", "/api/emails/batch",
			"/api/emails/mime");

	private static final Paths CURRENT_KEY = Paths.of(HttpMethod.GET, "/api/api-keys/current");

	/** Tools, each of which requires a permission of its own. */
	private static final Paths MCP = Paths.any("/mcp");

	/** Routes of a person who may only set up a second factor. */
	private static final List<Paths> ENROLMENT = List.of(
			Paths.of(HttpMethod.POST, "/api/auth/totp", "/api/auth/totp/confirm"),
			Paths.of(HttpMethod.GET, "/api/auth/me"));

	/**
	 * The right that people need for changes below a path. Reading requires none.
	 */
	private static final Map<String, Right> CHANGES = new TreeMap<>(
			Map.ofEntries(entry("/api/auth/**", Right.OWN_SIGN_IN), entry("/api/domains/**", Right.DOMAINS),
					entry("/api/tracking-domains/**", Right.DOMAINS), entry("/api/inbound/routes/**", Right.DOMAINS),
					entry("/api/inbound/targets/**", Right.DOMAINS), entry("/api/api-keys/**", Right.API_KEYS),
					entry("/api/templates/**", Right.TEMPLATES), entry("/api/webhooks/**", Right.WEBHOOKS),
					entry("/api/contact-books/**", Right.CONTACTS), entry("/api/campaigns/**", Right.CAMPAIGNS),
					entry("/api/suppressions/**", Right.SUPPRESSIONS), entry("/api/team/**", Right.MEMBERS)));

	private static final List<Change> RIGHTS = Stream
		.concat(Stream.of(new Change(Paths.of(HttpMethod.PATCH, "/api/emails/{id}"), Right.SEND),
				new Change(Paths.of(HttpMethod.POST, "/api/emails/{id}/cancel"), Right.SEND)),
				CHANGES.entrySet().stream().map((entry) -> new Change(Paths.any(entry.getKey()), entry.getValue())))
		.toList();

	/**
	 * The permission that API keys need for a route; the first one that matches applies.
	 * Other routes are closed to keys. The OpenAPI document has the same table.
	 */
	private static final List<KeyRoute> FOR_KEYS = List.of(KeyRoute.ofAll(Permission.SEND, SENDS),
			KeyRoute.ofAll(Permission.EMAILS_READ, "/api/emails", "/api/emails/logs", "/api/emails/{id}",
					"/api/emails/{id}/events", "/api/emails/{id}/attempts"),
			KeyRoute.ofAll(Permission.SEND, Paths.of(HttpMethod.PATCH, "/api/emails/{id}")),
			KeyRoute.ofAll(Permission.SEND, Paths.of(HttpMethod.POST, "/api/emails/{id}/cancel")),
			KeyRoute.reading(Permission.INBOUND_READ, "/api/inbound/routes/**", "/api/inbound/targets/**"),
			KeyRoute.posting(Permission.INBOUND_READ, "/api/inbound/routes/test"),
			KeyRoute.changing(Permission.DOMAINS_WRITE, "/api/inbound/routes/**", "/api/inbound/targets/**"),
			KeyRoute.ofAll(Permission.INBOUND_READ, "/api/inbound/**"),
			KeyRoute.ofAll(Permission.ANALYTICS_READ, "/api/analytics/**"),
			KeyRoute.reading(Permission.DOMAINS_READ, "/api/domains/**", "/api/tracking-domains/**"),
			KeyRoute.changing(Permission.DOMAINS_WRITE, "/api/domains/**", "/api/tracking-domains/**"),
			KeyRoute.posting(Permission.TEMPLATES_READ, "/api/templates/{id}/render"),
			KeyRoute.posting(Permission.SEND, "/api/templates/{id}/test"),
			KeyRoute.reading(Permission.TEMPLATES_READ, "/api/templates/**"),
			KeyRoute.changing(Permission.TEMPLATES_WRITE, "/api/templates/**"),
			KeyRoute.reading(Permission.CONTACTS_READ, "/api/contact-books/**"),
			KeyRoute.changing(Permission.CONTACTS_WRITE, "/api/contact-books/**"),
			KeyRoute.posting(Permission.CAMPAIGNS_SEND, "/api/campaigns/{id}/start", "/api/campaigns/{id}/schedule",
					"/api/campaigns/{id}/resume", "/api/campaigns/{id}/test"),
			KeyRoute.reading(Permission.CAMPAIGNS_READ, "/api/campaigns/**"),
			KeyRoute.changing(Permission.CAMPAIGNS_WRITE, "/api/campaigns/**"),
			KeyRoute.reading(Permission.SUPPRESSIONS_READ, "/api/suppressions/**"),
			KeyRoute.changing(Permission.SUPPRESSIONS_WRITE, "/api/suppressions/**"),
			KeyRoute.reading(Permission.EVENTS_READ, "/api/webhooks/listen"),
			KeyRoute.reading(Permission.WEBHOOKS_READ, "/api/webhooks/**"),
			KeyRoute.changing(Permission.WEBHOOKS_WRITE, "/api/webhooks/**"),
			KeyRoute.reading(Permission.EVENTS_READ, "/api/events/**"),
			KeyRoute.reading(Permission.USAGE_READ, "/api/usage/**"));

	private Routes() {
	}

	/** Matches public routes, on which credentials are ignored. */
	static ServerWebExchangeMatcher open() {
		return (exchange) -> isOpen(exchange.getRequest()) ? MatchResult.match() : MatchResult.notMatch();
	}

	private static boolean isOpen(ServerHttpRequest request) {
		return isOpen(request.getMethod(), request.getPath().pathWithinApplication());
	}

	/** Whether a route is public. */
	static boolean isOpen(HttpMethod method, PathContainer path) {
		return !API.match(method, path) || SIGN_IN.match(method, path);
	}

	/** Configures the rules of all routes. */
	static void rules(AuthorizeExchangeSpec routes) {
		routes.matchers(open()).permitAll();
		routes.anyExchange()
			.access((authentication, context) -> authentication.ofType(CallerToken.class)
				.map((token) -> permits(token.caller(), context.getExchange().getRequest()))
				.map(AuthorizationDecision::new));
	}

	private static boolean permits(Caller caller, ServerHttpRequest request) {
		return permits(caller, request.getMethod(), request.getPath().pathWithinApplication());
	}

	/** Whether a caller may use a route that is not public. */
	static boolean permits(Caller caller, HttpMethod method, PathContainer requested) {
		PathContainer path = ofApi(requested);
		return caller.isPerson() ? permitsPerson(caller, method, path) : permitsKey(caller, method, path);
	}

	private static boolean permitsPerson(Caller caller, HttpMethod method, PathContainer path) {
		if (caller.role() == Caller.Role.ENROLLING) {
			return ENROLMENT.stream().anyMatch((paths) -> paths.match(method, path));
		}
		if (SENDS.match(method, path) || CURRENT_KEY.match(method, path) || MCP.match(method, path)) {
			return false;
		}
		return READING.contains(method) || caller.has(right(method, path));
	}

	private static Right right(HttpMethod method, PathContainer path) {
		return RIGHTS.stream()
			.filter((change) -> change.paths.match(method, path))
			.findFirst()
			.map(Change::right)
			.orElse(Right.ACCOUNT);
	}

	private static boolean permitsKey(Caller caller, HttpMethod method, PathContainer path) {
		if (CURRENT_KEY.match(method, path) || MCP.match(method, path)) {
			return true;
		}
		@Nullable KeyRoute route = keyRoute(method, path);
		return route != null && (route.ofDomains || caller.isAccountKey())
				&& (caller.has(route.permission) || (SENDS.match(method, path) && caller.has(Permission.SANDBOX)));
	}

	/**
	 * The permission with which the key of an account could use a route; null if none
	 * suffices.
	 */
	static @Nullable Permission permission(HttpMethod method, PathContainer path) {
		@Nullable KeyRoute route = keyRoute(method, ofApi(path));
		return (route != null) ? route.permission : null;
	}

	private static PathContainer ofApi(PathContainer path) {
		return path.value().startsWith(COMPAT)
				? PathContainer.parsePath("/api/" + path.value().substring(COMPAT.length())) : path;
	}

	private static @Nullable KeyRoute keyRoute(HttpMethod method, PathContainer path) {
		return FOR_KEYS.stream().filter((route) -> route.match(method, path)).findFirst().orElse(null);
	}

	/** Changes for which people need a right. */
	private record Change(Paths paths, Right right) {
	}

	/**
	 * Routes for which API keys need a permission.
	 *
	 * @param ofDomains whether keys of a domain may use them as well
	 * @param methods the methods; empty for those that do not merely read
	 */
	private record KeyRoute(Permission permission, boolean ofDomains, Set<HttpMethod> methods, Paths paths) {

		private static final Set<HttpMethod> GET = Set.of(HttpMethod.GET, HttpMethod.HEAD);

		static KeyRoute ofAll(Permission permission, Paths changes) {
			return new KeyRoute(permission, true, Set.of(), changes);
		}

		static KeyRoute ofAll(Permission permission, String... reads) {
			return new KeyRoute(permission, true, GET, Paths.any(reads));
		}

		static KeyRoute reading(Permission permission, String... paths) {
			return new KeyRoute(permission, false, GET, Paths.any(paths));
		}

		static KeyRoute changing(Permission permission, String... paths) {
			return new KeyRoute(permission, false, Set.of(), Paths.any(paths));
		}

		static KeyRoute posting(Permission permission, String... paths) {
			return new KeyRoute(permission, false, Set.of(HttpMethod.POST), Paths.any(paths));
		}

		boolean match(HttpMethod method, PathContainer path) {
			return (this.methods.isEmpty() ? !READING.contains(method) : this.methods.contains(method))
					&& this.paths.match(method, path);
		}

	}

}
