package dev.mailroom.http;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.observability.LoggedRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Assigns an id to each request, or keeps the client's, and sets the headers that all
 * responses have. Responses that may be cached replace {@code Cache-Control}.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class RequestIds implements WebFilter {

	static final String HEADER = "X-Request-Id";

	/** The key of the id in the exchange, in the Reactor context and in log entries. */
	public static final String CONTEXT = LoggedRequest.ID;

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._-]{1,128}");

	private static final NoArgGenerator IDS = Generators.timeBasedEpochRandomGenerator();

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String id = assign(exchange.getRequest(), exchange.getResponse().getHeaders());
		exchange.getAttributes().put(CONTEXT, id);
		return chain.filter(exchange).contextWrite(context(id));
	}

	/** Assigns the id of a request, and sets the headers of its response. */
	public static String assign(ServerHttpRequest request, HttpHeaders headers) {
		return assign(request.getHeaders().getFirst(HEADER), headers);
	}

	/**
	 * Assigns the id of a request, and sets the headers of its response.
	 * @param sent the id that the client sent
	 */
	static String assign(@Nullable String sent, HttpHeaders headers) {
		String id = (sent != null && VALID.matcher(sent).matches()) ? sent : IDS.generate().toString();
		headers.set(HEADER, id);
		headers.set("X-Content-Type-Options", "nosniff");
		headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
		headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
		headers.set("Referrer-Policy", "no-referrer");
		headers.setCacheControl("no-store");
		return id;
	}

	/** Adds the id to the Reactor context. */
	public static Function<Context, Context> context(String id) {
		return (context) -> context.put(CONTEXT, id);
	}

	/** Whether the client sent no id, or one that is kept. */
	public static boolean isUsable(HttpHeaders headers) {
		List<String> sent = headers.getOrDefault(HEADER, List.of());
		return sent.isEmpty() || (sent.size() == 1 && VALID.matcher(sent.getFirst()).matches());
	}

	static String of(ServerWebExchange exchange) {
		return exchange.getAttributeOrDefault(CONTEXT, "");
	}

}
