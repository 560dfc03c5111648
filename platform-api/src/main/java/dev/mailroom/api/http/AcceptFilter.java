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
 * Refuses what could not be answered before anything is done for it: a mail must not be
 * sent and the sender then be told that it failed. Behind the credentials.
 */
@Component
@Order(0)
class AcceptFilter implements WebFilter {

	private static final List<MediaType> ANSWERS = List.of(MediaType.APPLICATION_JSON,
			MediaType.APPLICATION_PROBLEM_JSON);

	private static final MediaType CSV = new MediaType("text", "csv");

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!isApi(exchange) || !exchange.getRequest().getHeaders().containsHeader(HttpHeaders.ACCEPT)) {
			return chain.filter(exchange);
		}
		if (!admitsAnswers(exchange)) {
			return Mono.error(new NotAcceptableStatusException(ANSWERS));
		}
		// Whoever asks for problem details alone gets a success as JSON.
		return chain.filter(exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.setAccept(List.of(MediaType.APPLICATION_JSON))))
			.build());
	}

	private static boolean admitsAnswers(ServerWebExchange exchange) {
		try {
			List<MediaType> accepted = exchange.getRequest().getHeaders().getAccept();
			return accepted.isEmpty() || accepted.stream()
				.filter((type) -> type.getQualityValue() > 0)
				.anyMatch((type) -> answers(exchange).anyMatch(type::includes));
		}
		catch (InvalidMediaTypeException _) {
			return false;
		}
	}

	/** What comes as a file may be asked for as one; an error is JSON all the same. */
	private static Stream<MediaType> answers(ServerWebExchange exchange) {
		boolean exported = exchange.getRequest().getPath().pathWithinApplication().value().endsWith("/export");
		return exported ? Stream.concat(ANSWERS.stream(), Stream.of(CSV)) : ANSWERS.stream();
	}

	static boolean isApi(ServerWebExchange exchange) {
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		return path.equals("/api") || path.startsWith("/api/");
	}

}
