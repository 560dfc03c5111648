package dev.mailroom.api.security;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Matches requests by method and path. All patterns of a rule are matched in one step,
 * because every request passes the rules that precede its own.
 */
final class Paths implements ServerWebExchangeMatcher {

	private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

	private final @Nullable HttpMethod method;

	private final List<PathPattern> patterns;

	private Paths(@Nullable HttpMethod method, String... patterns) {
		this.method = method;
		this.patterns = Stream.of(patterns).map(PathPatternParser.defaultInstance::parse).toList();
	}

	static Paths of(HttpMethod method, String... patterns) {
		return new Paths(method, patterns);
	}

	static Paths any(String... patterns) {
		return new Paths(null, patterns);
	}

	/** Matches requests that are not mere reading. */
	static ServerWebExchangeMatcher changes(String... patterns) {
		Paths paths = any(patterns);
		return (exchange) -> (!READING.contains(exchange.getRequest().getMethod())
				&& paths.match(exchange.getRequest())) ? MatchResult.match() : MatchResult.notMatch();
	}

	boolean match(ServerHttpRequest request) {
		PathContainer path = request.getPath().pathWithinApplication();
		return (this.method == null || this.method.equals(request.getMethod()))
				&& this.patterns.stream().anyMatch((pattern) -> pattern.matches(path));
	}

	@Override
	public Mono<MatchResult> matches(ServerWebExchange exchange) {
		return match(exchange.getRequest()) ? MatchResult.match() : MatchResult.notMatch();
	}

}
