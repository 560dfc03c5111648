package dev.mailroom.api.docs;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Announces the end of operations that the OpenAPI document marks with
 * {@code x-deprecation}: their responses have {@code Deprecation} (RFC 9745),
 * {@code Sunset} (RFC 8594) and a link to what replaces them.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
public class Deprecations implements WebFilter {

	private final Map<PathPattern, Map<HttpMethod, HttpHeaders>> paths;

	Deprecations(ApiDocument document) {
		this.paths = document.deprecations();
	}

	/**
	 * The headers by method for each path of a document, the most specific path first;
	 * empty if no operation is deprecated.
	 */
	static Map<PathPattern, Map<HttpMethod, HttpHeaders>> of(Map<?, ?> document) {
		Map<PathPattern, Map<HttpMethod, HttpHeaders>> paths = new TreeMap<>();
		map(document.get("paths")).forEach((path, item) -> {
			// Paths with servers of their own are at the root.
			String base = map(item).containsKey("servers") ? "" : "/api";
			Map<HttpMethod, HttpHeaders> methods = new HashMap<>();
			map(item).forEach((method, operation) -> {
				if (map(operation).get("x-deprecation") instanceof Map<?, ?> deprecation) {
					methods.put(HttpMethod.valueOf(method.toString().toUpperCase(Locale.ROOT)), headers(deprecation));
				}
			});
			paths.put(PathPatternParser.defaultInstance.parse(base + path), methods);
		});
		return paths.values().stream().allMatch(Map::isEmpty) ? Map.of() : paths;
	}

	private static Map<?, ?> map(@Nullable Object node) {
		return (node instanceof Map<?, ?> map) ? map : Map.of();
	}

	private static HttpHeaders headers(Map<?, ?> deprecation) {
		HttpHeaders headers = new HttpHeaders();
		headers.set("Deprecation", "@" + day(deprecation, "since").getEpochSecond());
		headers.setInstant("Sunset", day(deprecation, "sunset"));
		headers.set(HttpHeaders.LINK, "<" + deprecation.get("link") + ">; rel=\"deprecation\"; type=\"text/html\"");
		return headers;
	}

	private static Instant day(Map<?, ?> deprecation, String name) {
		return LocalDate.parse(String.valueOf(deprecation.get(name))).atStartOfDay(ZoneOffset.UTC).toInstant();
	}

	/** Whether responses of an operation announce its end. */
	public boolean hasEnd(HttpMethod method, String path) {
		return headers(method, PathContainer.parsePath(path)) != null;
	}

	private @Nullable HttpHeaders headers(HttpMethod method, PathContainer path) {
		return this.paths.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().matches(path))
			.findFirst()
			.map((entry) -> entry.getValue().get(method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method))
			.orElse(null);
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		@Nullable HttpHeaders headers = headers(request.getMethod(), request.getPath().pathWithinApplication());
		if (headers != null) {
			exchange.getResponse().getHeaders().addAll(headers);
		}
		return chain.filter(exchange);
	}

}
