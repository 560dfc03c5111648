package dev.mailroom.admin.graphql;

import java.time.Duration;
import java.util.Optional;

import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseCookie;
import org.springframework.util.MultiValueMap;

/**
 * The cookie with the refresh token. Scripts cannot read it, and browsers send it with
 * requests of pages of the same site only.
 */
public final class RefreshCookie {

	private static final String NAME = "mailroom_refresh";

	/**
	 * Prefix of the name over TLS (RFC 6265bis 4.1.3.2). Browsers accept such a cookie
	 * from this host only, so that no other host of the domain can replace it.
	 */
	private static final String HOST = "__Host-";

	/** Key in the context of a request. */
	static final String KEY = "refreshCookie";

	/** Lifetime of a session after its last refresh. */
	private static final Duration LIFETIME = Duration.ofDays(30);

	private final @Nullable String sent;

	private final boolean secure;

	private volatile @Nullable ResponseCookie change;

	/**
	 * Creates the cookie of one request.
	 * @param sent the cookies that the client sent
	 * @param secure whether the client may send it over TLS only
	 */
	RefreshCookie(MultiValueMap<String, HttpCookie> sent, boolean secure) {
		this.secure = secure;
		@Nullable HttpCookie cookie = sent.getFirst(name());
		this.sent = (cookie != null) ? cookie.getValue() : null;
	}

	/** The cookie of a request. */
	public static RefreshCookie require(GraphQLContext context) {
		return of(context).orElseThrow();
	}

	static Optional<RefreshCookie> of(GraphQLContext context) {
		return context.getOrEmpty(KEY);
	}

	/** The token that the client sent; null if it sent none. */
	public @Nullable String token() {
		return this.sent;
	}

	/** Sends a token to the client. */
	public void set(String token) {
		this.change = cookie(token, LIFETIME);
	}

	/** Deletes the client's cookie. */
	public void clear() {
		this.change = cookie("", Duration.ZERO);
	}

	/** The Set-Cookie header of the response; empty if the cookie stays as it is. */
	Optional<String> change() {
		return Optional.ofNullable(this.change).map(ResponseCookie::toString);
	}

	private String name() {
		return this.secure ? HOST + NAME : NAME;
	}

	private ResponseCookie cookie(String token, Duration maxAge) {
		return ResponseCookie.from(name(), token)
			.httpOnly(true)
			.secure(this.secure)
			.sameSite("Strict")
			.path("/")
			.maxAge(maxAge)
			.build();
	}

}
