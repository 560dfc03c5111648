package dev.mailroom.admin.security;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.observability.LoggedRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;

/** Writes errors that precede GraphQL in the error format of the REST API. */
@Component
public class HttpErrors {

	private static final Logger log = LoggerFactory.getLogger(HttpErrors.class);

	private final JsonMapper json;

	private final ErrorCounts counts;

	HttpErrors(JsonMapper json, ErrorCounts counts) {
		this.json = json;
		this.counts = counts;
	}

	/** Whether an error has a response of its own; unknown paths keep the framework's. */
	static boolean isHandled(Throwable error) {
		return !(error instanceof ResponseStatusException);
	}

	/** Writes the response to an error. It contains no internal details. */
	public Mono<Void> write(ServerWebExchange exchange, Throwable error) {
		ServerHttpResponse response = exchange.getResponse();
		if (response.isCommitted()) {
			return Mono.error(error);
		}
		Refused refused = Faults.of(error);
		Refusal refusal = refused.refusal();
		this.counts.count(refusal.name());
		if (refusal.kind() == Refusal.Kind.FAULT) {
			LoggedRequest.with(exchange, () -> log.error("A request failed", error));
		}
		int status = refusal.kind().status();
		response.setStatusCode(HttpStatusCode.valueOf(status));
		if (status == 401) {
			response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
		}
		if (refused.retryAfter() != null) {
			response.getHeaders()
				.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, refused.retryAfter().toSeconds())));
		}
		response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
		byte[] bytes = this.json
			.writeValueAsString(new Body(false, refusal.error(), refusal.name(), status, refused.message(),
					refused.details(), RequestIds.of(exchange)))
			.getBytes(StandardCharsets.UTF_8);
		response.getHeaders().setContentLength(bytes.length);
		return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)));
	}

	/** The body of an error response. */
	private record Body(boolean success, String error, String name, int statusCode, String message,
			@JsonInclude(JsonInclude.Include.NON_EMPTY) List<Refusal.Detail> details, String requestId) {
	}

}
