package dev.mailroom.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.observability.LoggedRequest;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.i18n.LocaleContextResolver;
import org.springframework.web.server.session.WebSessionManager;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Writes the response to an error: the body of the contract, or problem details (RFC
 * 9457) if the client accepts these.
 */
@Component
public class ErrorWriter {

	private static final Logger log = LoggerFactory.getLogger(ErrorWriter.class);

	private static final String LOGGED = ErrorWriter.class.getName() + ".logged";

	private static final WebSessionManager NO_SESSIONS = (_) -> Mono.empty();

	private static final ServerCodecConfigurer CODECS = ServerCodecConfigurer.create();

	private static final LocaleContextResolver LOCALE = new AcceptHeaderLocaleContextResolver();

	private final JsonMapper json;

	private final String docs;

	private final MeterRegistry registry;

	private final ErrorConversion conversion;

	private final List<ErrorDialect> dialects;

	ErrorWriter(JsonMapper json, @Value("${mailroom.public-url}") String publicUrl, MeterRegistry registry,
			ErrorConversion conversion, ObjectProvider<ErrorDialect> dialects) {
		this.json = json;
		this.docs = publicUrl + "/docs/errors/";
		this.registry = registry;
		this.conversion = conversion;
		this.dialects = dialects.orderedStream().toList();
	}

	/**
	 * Writes the response to an error of a request that has no exchange.
	 * @param id the id of the request
	 * @param route the pattern of its path, for the log
	 */
	public Mono<Void> write(ServerHttpRequest request, ServerHttpResponse response, String id, String route,
			Throwable error) {
		ServerWebExchange exchange = new DefaultServerWebExchange(request, response, NO_SESSIONS, CODECS, LOCALE);
		exchange.getAttributes().put(RequestIds.CONTEXT, id);
		exchange.getAttributes().put(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, route);
		return write(exchange, error);
	}

	/** Writes the response to an error. It contains no internal details. */
	public Mono<Void> write(ServerWebExchange exchange, Throwable error) {
		ServerHttpResponse response = exchange.getResponse();
		if (response.isCommitted()) {
			logOnce(exchange, error, "{} {} failed after its response began");
			return Mono.error(error);
		}
		Refused refused = this.conversion.convert(exchange, error);
		this.registry.counter("mailroom.errors", "name", refused.refusal().name()).increment();
		int status = refused.refusal().kind().status();
		if (status >= 500 && !(error instanceof Refused)) {
			logOnce(exchange, error, "{} {} failed");
		}
		response.setStatusCode(HttpStatusCode.valueOf(status));
		if (status == 401) {
			response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
		}
		if (refused.retryAfter() != null) {
			response.getHeaders()
				.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, refused.retryAfter().toSeconds())));
		}
		Optional<ErrorDialect.Reply> foreign = this.dialects.stream()
			.flatMap((dialect) -> dialect.reply(exchange, refused).stream())
			.findFirst();
		foreign.ifPresent((reply) -> response.setStatusCode(HttpStatusCode.valueOf(reply.status())));
		Body body = Body.of(refused, RequestIds.of(exchange), this.docs);
		boolean problem = foreign.isEmpty() && acceptsProblem(exchange);
		response.getHeaders().setContentType(problem ? MediaType.APPLICATION_PROBLEM_JSON : MediaType.APPLICATION_JSON);
		byte[] bytes = this.json
			.writeValueAsString(foreign.map(ErrorDialect.Reply::body).orElseGet(() -> problem ? body.problem() : body))
			.getBytes(StandardCharsets.UTF_8);
		response.getHeaders().setContentLength(bytes.length);
		return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)));
	}

	/**
	 * The response to a request that the server could not read.
	 * @param status the status that the server chose
	 */
	Unread unread(int status) {
		HttpHeaders headers = new HttpHeaders();
		String id = RequestIds.assign((String) null, headers);
		headers.setContentType(MediaType.APPLICATION_JSON);
		Refused refused = Faults.unread(status);
		this.registry.counter("mailroom.errors", "name", refused.refusal().name()).increment();
		byte[] body = this.json.writeValueAsBytes(Body.of(refused, id, this.docs));
		return new Unread(refused.refusal().kind().status(), headers, body);
	}

	/**
	 * Logs the error of a request once, with its route instead of its path and query,
	 * which can contain secrets.
	 */
	private static void logOnce(ServerWebExchange exchange, Throwable error, String message) {
		boolean logged = exchange.getAttributes().put(LOGGED, true) != null;
		if (logged || DisconnectedClientHelper.isClientDisconnectedException(error)) {
			return;
		}
		Object route = exchange.getAttributeOrDefault(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, "(no route)");
		LoggedRequest.with(exchange, () -> {
			if (Faults.isOutage(error)) {
				log.warn("{} {} failed because the database is unavailable: {}", exchange.getRequest().getMethod(),
						route, error.toString());
			}
			else {
				log.error(message, exchange.getRequest().getMethod(), route, error);
			}
		});
	}

	private static boolean acceptsProblem(ServerWebExchange exchange) {
		List<String> accepted = exchange.getRequest().getHeaders().getOrDefault(HttpHeaders.ACCEPT, List.of());
		return accepted.stream().anyMatch((value) -> value.contains(MediaType.APPLICATION_PROBLEM_JSON_VALUE));
	}

	/** The response to a request that could not be read. */
	record Unread(int status, HttpHeaders headers, byte[] body) {
	}

	/**
	 * The body of every error response.
	 *
	 * @param error the contract's name of the error
	 * @param name the name in snake case
	 * @param message the cause and the remedy
	 * @param details the invalid fields; omitted if empty
	 * @param properties properties of this error only
	 */
	private record Body(boolean success, String error, String name, @JsonProperty("statusCode") int statusCode,
			String message, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Refusal.Detail> details, String requestId,
			String docsUrl, @JsonAnyGetter Map<String, String> properties) {

		static Body of(Refused refused, String requestId, String docs) {
			Refusal refusal = refused.refusal();
			return new Body(false, refusal.error(), refusal.name(), refusal.kind().status(), refused.message(),
					refused.details(), requestId, docs + refusal.name(), refused.properties());
		}

		/** The body in the format of RFC 9457. */
		Problem problem() {
			return new Problem(this.docsUrl, this.error, this.statusCode, this.message, this.name, this.details,
					this.requestId, this.properties);
		}

	}

	/** Problem details (RFC 9457). */
	private record Problem(String type, String title, int status, String detail, String name,
			@JsonInclude(JsonInclude.Include.NON_EMPTY) List<Refusal.Detail> errors, String requestId,
			@JsonAnyGetter Map<String, String> properties) {
	}

}
