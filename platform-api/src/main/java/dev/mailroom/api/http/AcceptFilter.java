package dev.mailroom.api.http;

import java.util.List;
import java.util.stream.Stream;

import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Refuses requests whose Accept header excludes JSON before they are handled. Otherwise a
 * mail could be sent although the response reports an error. Runs after authentication.
 */
@Component
@Order(0)
class AcceptFilter implements WebFilter {

	private static final List<MediaType> RESPONSE_TYPES = List.of(MediaType.APPLICATION_JSON,
			MediaType.APPLICATION_PROBLEM_JSON);

	private static final MediaType CSV = new MediaType("text", "csv");

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!isApi(exchange) || !exchange.getRequest().getHeaders().containsHeader(HttpHeaders.ACCEPT)) {
			return chain.filter(exchange);
		}
		if (!acceptsResponse(exchange)) {
			return Mono.error(new NotAcceptableStatusException(RESPONSE_TYPES));
		}
		// A successful response is JSON even if only problem details are accepted.
		MediaType type = isStream(exchange) ? MediaType.TEXT_EVENT_STREAM : MediaType.APPLICATION_JSON;
		return chain.filter(exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.setAccept(List.of(type))))
			.build());
	}

	private static boolean acceptsResponse(ServerWebExchange exchange) {
		try {
			List<MediaType> accepted = exchange.getRequest().getHeaders().getAccept();
			return accepted.isEmpty() || accepted.stream()
				.filter((type) -> type.getQualityValue() > 0)
				.anyMatch((type) -> responseTypes(exchange).anyMatch(type::includes));
		}
		catch (InvalidMediaTypeException _) {
			return false;
		}
	}

	/** Whether a stream of events is requested. One route has nothing else. */
	private static boolean isStream(ServerWebExchange exchange) {
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		return path.equals("/api/webhooks/listen") || (path.equals("/api/events")
				&& exchange.getRequest().getHeaders().getAccept().contains(MediaType.TEXT_EVENT_STREAM));
	}

	/**
	 * The types of responses: an export can also be accepted as CSV, events as a stream.
	 */
	private static Stream<MediaType> responseTypes(ServerWebExchange exchange) {
		if (isStream(exchange)) {
			return Stream.concat(RESPONSE_TYPES.stream(), Stream.of(MediaType.TEXT_EVENT_STREAM));
		}
		boolean export = exchange.getRequest().getPath().pathWithinApplication().value().endsWith("/export");
		return export ? Stream.concat(RESPONSE_TYPES.stream(), Stream.of(CSV)) : RESPONSE_TYPES.stream();
	}

	private static boolean isApi(ServerWebExchange exchange) {
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		return path.equals("/api") || path.startsWith("/api/") || path.startsWith("/compat/");
	}

}
