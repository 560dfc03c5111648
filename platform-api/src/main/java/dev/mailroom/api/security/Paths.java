package dev.mailroom.api.security;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** A set of requests: those with a method and one of several paths. */
final class Paths {

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

	boolean match(ServerHttpRequest request) {
		return match(request.getMethod(), request.getPath().pathWithinApplication());
	}

	boolean match(HttpMethod requested, PathContainer path) {
		return (this.method == null || this.method.equals(requested))
				&& this.patterns.stream().anyMatch((pattern) -> pattern.matches(path));
	}

}
