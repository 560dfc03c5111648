package dev.mailroom.admin.security;

import java.util.regex.Pattern;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.observability.LoggedRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Assigns an id to each request, or keeps the client's. Errors that reach this filter are
 * written in the error format.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
public class RequestIds implements WebFilter {

	/** The key of the id in the exchange and in the Reactor context. */
	public static final String CONTEXT = LoggedRequest.ID;

	private static final String HEADER = "X-Request-Id";

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._-]{1,128}");

	private final NoArgGenerator ids;

	private final HttpErrors errors;

	RequestIds(NoArgGenerator ids, HttpErrors errors) {
		this.ids = ids;
		this.errors = errors;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		@Nullable String sent = exchange.getRequest().getHeaders().getFirst(HEADER);
		String id = (sent != null && VALID.matcher(sent).matches()) ? sent : this.ids.generate().toString();
		exchange.getAttributes().put(CONTEXT, id);
		exchange.getResponse().getHeaders().set(HEADER, id);
		return chain.filter(exchange)
			.onErrorResume(HttpErrors::isHandled, (error) -> this.errors.write(exchange, error))
			.contextWrite((context) -> context.put(CONTEXT, id));
	}

	static String of(ServerWebExchange exchange) {
		return exchange.getAttributeOrDefault(CONTEXT, "");
	}

}
