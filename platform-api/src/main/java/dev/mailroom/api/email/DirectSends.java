package dev.mailroom.api.email;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.mailroom.Scope;
import dev.mailroom.account.Authenticator;
import dev.mailroom.account.Caller;
import dev.mailroom.account.Permission;
import dev.mailroom.api.http.ApiVersion;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.InFlightBytes;
import dev.mailroom.api.http.RateLimits;
import dev.mailroom.http.BodyMemory;
import dev.mailroom.http.ErrorWriter;
import dev.mailroom.http.RequestIds;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.Outcome;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;

/**
 * Handles well-formed requests to send with a valid API key ahead of the filters and of
 * WebFlux, which cost more than the rest of such a request. Everything else, such as a
 * request with a wrong credential, unusual headers or a malformed body, is passed on
 * unchanged. Each of these refusals has one implementation.
 */
@Component
class DirectSends {

	static final String SINGLE = "/api/emails";

	static final String BATCH = "/api/emails/batch";

	private static final String BEARER = "Bearer ";

	private static final Pattern API_KEY = Pattern.compile("ek_[A-Za-z0-9_-]{1,200}");

	/** Larger bodies are passed on: their cost is not that of the filters. */
	private static final long MAX_BYTES = 2 * 1024 * 1024;

	private static final Set<String> JSON = Set.of("application/json", "application/json;charset=utf-8",
			"application/json; charset=utf-8");

	private static final Set<String> ACCEPTED = Set.of("*/*", "application/json");

	private final Map<String, Function<byte[], @Nullable Send>> routes;

	private final Map<String, Timer> timers = new ConcurrentHashMap<>();

	private final SendController sends;

	private final Authenticator authenticator;

	private final RateLimits limits;

	private final InFlightBytes memory;

	private final ErrorWriter errors;

	private final JsonMapper json;

	private final MeterRegistry meters;

	DirectSends(SendController sends, Authenticator authenticator, RateLimits limits, InFlightBytes memory,
			ErrorWriter errors, JsonMapper json, MeterRegistry meters) {
		this.sends = sends;
		this.authenticator = authenticator;
		this.limits = limits;
		this.memory = memory;
		this.errors = errors;
		this.json = json;
		this.meters = meters;
		this.routes = Map.of(SINGLE, this::single, BATCH, this::batch);
	}

	/** Handles the request, or passes it on. */
	Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response, HttpHandler chain) {
		String token = isDirect(request) ? apiKey(request.getHeaders()) : null;
		if (token == null) {
			return chain.handle(request, response);
		}
		long start = System.nanoTime();
		return this.authenticator.authenticate(token)
			.onErrorComplete()
			.filter((caller) -> caller.kind() == Caller.Kind.API_KEY && Permission.maySubmit(caller.permissions()))
			.map((caller) -> receive(caller.scope(), request, response, chain, start))
			.defaultIfEmpty(Mono.defer(() -> chain.handle(request, response)))
			.flatMap(Function.identity());
	}

	private Mono<Void> receive(Scope scope, ServerHttpRequest request, ServerHttpResponse response, HttpHandler chain,
			long start) {
		int length = (int) request.getHeaders().getContentLength();
		BodyMemory.Hold hold = this.memory.hold(scope.account());
		Mono<byte[]> arrived = DataBufferUtils.join(hold.counted(request.getBody()), length)
			.map(DirectSends::bytes)
			.onErrorResume((error) -> refuse(request, response, error).then(Mono.empty()));
		return arrived.flatMap((body) -> {
			@Nullable Send send = parse(request, body);
			if (send == null) {
				hold.release();
				return chain.handle(withBody(request, response, body), response);
			}
			return send(send, scope, key(request, body), request, response, start);
		}).doFinally((_) -> hold.release());
	}

	/** Writes the error of a body that could not be read. */
	private Mono<Void> refuse(ServerHttpRequest request, ServerHttpResponse response, Throwable error) {
		String id = RequestIds.assign(request, response.getHeaders());
		ApiVersion.name(response.getHeaders());
		return this.errors.write(request, response, id, path(request), error).contextWrite(RequestIds.context(id));
	}

	private Mono<Void> send(Send send, Scope scope, @Nullable IdempotencyKey key, ServerHttpRequest request,
			ServerHttpResponse response, long start) {
		String path = path(request);
		String id = RequestIds.assign(request, response.getHeaders());
		ApiVersion.name(response.getHeaders());
		return Mono.defer(() -> {
			this.limits.consume(scope.account(), true, response);
			return send.to(scope, key);
		})
			.flatMap((entity) -> write(entity, response))
			.onErrorResume((error) -> this.errors.write(request, response, id, path, error))
			.contextWrite(RequestIds.context(id))
			.doFinally((_) -> record(path, response, start));
	}

	private Mono<Void> write(ResponseEntity<Object> entity, ServerHttpResponse response) {
		byte[] body = this.json.writeValueAsBytes(entity.getBody());
		response.setStatusCode(entity.getStatusCode());
		HttpHeaders headers = response.getHeaders();
		headers.putAll(entity.getHeaders());
		headers.setContentType(MediaType.APPLICATION_JSON);
		headers.setContentLength(body.length);
		return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
	}

	/** The meter that Spring keeps for other routes. */
	private void record(String path, ServerHttpResponse response, long start) {
		int status = (response.getStatusCode() != null) ? response.getStatusCode().value() : 200;
		this.timers
			.computeIfAbsent(status + path,
					(_) -> Timer.builder("http.server.requests")
						.tags(Tags.of("error", "none", "exception", "none", "method", "POST", "outcome",
								Outcome.forStatus(status).name(), "status", Integer.toString(status), "uri", path))
						.register(this.meters))
			.record(Duration.ofNanos(System.nanoTime() - start));
	}

	private @Nullable Send parse(ServerHttpRequest request, byte[] body) {
		try {
			Function<byte[], @Nullable Send> route = this.routes.get(path(request));
			return (route != null) ? route.apply(body) : null;
		}
		catch (JacksonException _) {
			return null;
		}
	}

	private @Nullable Send single(byte[] body) {
		@Nullable SendEmail mail = this.json.readValue(body, SendEmail.class);
		return (mail != null) ? (scope, key) -> this.sends.send(scope, key, mail) : null;
	}

	private Send batch(byte[] body) {
		JsonNode mails = this.json.readTree(body);
		return (scope, key) -> this.sends.send(scope, key, mails);
	}

	private boolean isDirect(ServerHttpRequest request) {
		return this.routes.containsKey(path(request)) && isUsual(request);
	}

	/**
	 * Whether no filter but those repeated here affects the request.
	 */
	private static boolean isUsual(ServerHttpRequest request) {
		HttpHeaders headers = request.getHeaders();
		long length = headers.getContentLength();
		return HttpMethod.POST.equals(request.getMethod()) && request.getURI().getRawQuery() == null && length > 0
				&& length <= MAX_BYTES && !headers.containsHeader(HttpHeaders.ORIGIN)
				&& !headers.containsHeader(HttpHeaders.TRANSFER_ENCODING)
				&& isOneOf(headers, HttpHeaders.CONTENT_TYPE, JSON, false)
				&& isOneOf(headers, HttpHeaders.ACCEPT, ACCEPTED, true) && RequestIds.isUsable(headers)
				&& ApiVersion.isKnown(headers) && IdempotencyKey.isUsable(headers);
	}

	private static boolean isOneOf(HttpHeaders headers, String name, Collection<String> values, boolean optional) {
		List<String> sent = headers.getOrDefault(name, List.of());
		return sent.isEmpty() ? optional
				: sent.size() == 1 && values.contains(sent.getFirst().toLowerCase(Locale.ROOT));
	}

	/** The API key of the request; null if it has none, or an invalid one. */
	private static @Nullable String apiKey(HttpHeaders headers) {
		List<String> sent = headers.getOrDefault(HttpHeaders.AUTHORIZATION, List.of());
		if (sent.size() != 1 || !sent.getFirst().startsWith(BEARER)) {
			return null;
		}
		String token = sent.getFirst().substring(BEARER.length());
		return API_KEY.matcher(token).matches() ? token : null;
	}

	private static @Nullable IdempotencyKey key(ServerHttpRequest request, byte[] body) {
		return IdempotencyKey.of("POST " + path(request), request.getHeaders(), body);
	}

	private static String path(ServerHttpRequest request) {
		return request.getPath().value();
	}

	private static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	private static ServerHttpRequest withBody(ServerHttpRequest request, ServerHttpResponse response, byte[] body) {
		return new ServerHttpRequestDecorator(request) {
			@Override
			public Flux<DataBuffer> getBody() {
				return Flux.just(response.bufferFactory().wrap(body));
			}
		};
	}

	/** A request to send whose body was read. */
	private interface Send {

		Mono<ResponseEntity<Object>> to(Scope scope, @Nullable IdempotencyKey key);

	}

}
