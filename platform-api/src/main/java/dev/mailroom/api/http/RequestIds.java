package dev.mailroom.api.http;

import java.util.regex.Pattern;

import com.fasterxml.uuid.NoArgGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Assigns an id to each request, or keeps the client's, and sets the headers that all
 * responses have.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RequestIds implements WebFilter {

	static final String HEADER = "X-Request-Id";

	/** The key of the id in the exchange, in the Reactor context and in log entries. */
	static final String CONTEXT = "request_id";

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._-]{1,128}");

	private final NoArgGenerator ids;

	RequestIds(NoArgGenerator ids) {
		this.ids = ids;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		@Nullable String sent = exchange.getRequest().getHeaders().getFirst(HEADER);
		String id = (sent != null && VALID.matcher(sent).matches()) ? sent : this.ids.generate().toString();
		exchange.getAttributes().put(CONTEXT, id);
		HttpHeaders headers = exchange.getResponse().getHeaders();
		headers.set(HEADER, id);
		headers.set("X-Content-Type-Options", "nosniff");
		headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
		headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
		headers.set("Referrer-Policy", "no-referrer");
		if (AcceptFilter.isApi(exchange)
				|| exchange.getRequest().getHeaders().containsHeader(HttpHeaders.AUTHORIZATION)) {
			headers.setCacheControl("no-store");
		}
		return chain.filter(exchange).contextWrite((context) -> context.put(CONTEXT, id));
	}

	static String of(ServerWebExchange exchange) {
		return exchange.getAttributeOrDefault(CONTEXT, "");
	}

}
