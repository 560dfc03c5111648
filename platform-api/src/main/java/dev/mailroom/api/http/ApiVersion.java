package dev.mailroom.api.http;

import java.util.List;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Refuses requests for a version of the API that does not exist, and names the version of
 * each response. There is one version so far.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
public class ApiVersion implements WebFilter {

	/** The newest version: the date of the last incompatible change. */
	static final String NEWEST = "2026-11-01";

	static final String HEADER = "Api-Version";

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		if (!path.startsWith("/api/")) {
			return chain.filter(exchange);
		}
		name(exchange.getResponse().getHeaders());
		return isKnown(exchange.getRequest().getHeaders()) ? chain.filter(exchange)
				: Mono.error(InvalidRequest.on(exchange.getRequest())
					.because("There is no such Api-Version: send " + NEWEST + ", or none"));
	}

	/** Names the version in the headers of a response. */
	public static void name(HttpHeaders response) {
		response.set(HEADER, NEWEST);
	}

	/** Whether a request names no version, or one that exists. */
	public static boolean isKnown(HttpHeaders request) {
		List<String> sent = request.getOrDefault(HEADER, List.of());
		return sent.isEmpty() || (sent.size() == 1 && sent.getFirst().equals(NEWEST));
	}

}
