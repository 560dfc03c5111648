package dev.mailroom.api.http;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.Refused;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Answers an error in the contract's body, or as problem details where they are asked
 * for.
 */
@Component
public class ErrorWriter {

	private static final Logger log = LoggerFactory.getLogger(ErrorWriter.class);

	private static final String LOGGED = ErrorWriter.class.getName() + ".logged";

	private final JsonMapper json;

	private final HttpSettings settings;

	ErrorWriter(JsonMapper json, HttpSettings settings) {
		this.json = json;
		this.settings = settings;
	}

	/** Answers a request with whatever was thrown at it. Nothing of the inside shows. */
	public Mono<Void> write(ServerWebExchange exchange, Throwable error) {
		ServerHttpResponse response = exchange.getResponse();
		if (response.isCommitted()) {
			logged(exchange, error, "{} {} broke off");
			return Mono.error(error);
		}
		Refused refused = Refusals.of(exchange, error);
		int status = refused.refusal().kind().status();
		if (status >= 500 && !(error instanceof Refused)) {
			logged(exchange, error, "{} {} failed");
		}
		response.setStatusCode(HttpStatusCode.valueOf(status));
		if (status == 401) {
			response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
		}
		if (refused.retryAfter() != null) {
			response.getHeaders()
				.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, refused.retryAfter().toSeconds())));
		}
		ErrorBody body = ErrorBody.of(refused, RequestIds.of(exchange), this.settings.publicUrl() + "/docs/errors/");
		boolean problem = wantsProblem(exchange);
		response.getHeaders().setContentType(problem ? MediaType.APPLICATION_PROBLEM_JSON : MediaType.APPLICATION_JSON);
		byte[] bytes = this.json.writeValueAsString(problem ? body.problem() : body).getBytes(StandardCharsets.UTF_8);
		response.getHeaders().setContentLength(bytes.length);
		return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)));
	}

	/**
	 * Says once which request it was, and by its route: a path may hold a token, and a
	 * query anything.
	 */
	private static void logged(ServerWebExchange exchange, Throwable error, String words) {
		boolean again = exchange.getAttributes().put(LOGGED, true) != null;
		if (again || DisconnectedClientHelper.isClientDisconnectedException(error)) {
			return;
		}
		Object route = exchange.getAttributeOrDefault(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, "(no route)");
		LoggedRequestId.with(RequestIds.of(exchange), () -> {
			if (DatabaseOutage.is(error)) {
				log.warn("{} {}: the database does not answer: {}", exchange.getRequest().getMethod(), route,
						error.toString());
			}
			else {
				log.error(words, exchange.getRequest().getMethod(), route, error);
			}
		});
	}

	private static boolean wantsProblem(ServerWebExchange exchange) {
		List<String> accepted = exchange.getRequest().getHeaders().getOrDefault(HttpHeaders.ACCEPT, List.of());
		return accepted.stream().anyMatch((value) -> value.contains(MediaType.APPLICATION_PROBLEM_JSON_VALUE));
	}

}
