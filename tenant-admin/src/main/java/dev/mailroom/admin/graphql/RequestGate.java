package dev.mailroom.admin.graphql;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.http.BodyMemory;
import dev.mailroom.http.MemoryOwner;
import dev.mailroom.http.ResponseSizes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Admits requests to the GraphQL endpoint: POST of one operation as
 * {@code application/json}, from a page of this origin if a browser sends it, within the
 * limits of size. A request may name a stored document by its {@code id} instead of
 * sending one. Runs after authentication.
 */
@Component
@Order(1)
class RequestGate implements WebFilter, WebFluxConfigurer, ResponseSizes {

	/** Largest document, and largest request without a credential or for a stream. */
	static final DataSize MAX_DOCUMENT = DataSize.ofKilobytes(16);

	/** Largest request of a signed-in person, because variables hold content of mails. */
	static final DataSize MAX_BODY = DataSize.ofMegabytes(4);

	/**
	 * Matched as the route is: another spelling of the path has the same limits.
	 */
	private static final PathPattern PATH = PathPatternParser.defaultInstance.parse("/graphql");

	private static final List<PathPattern> SIGNED = Stream.of("/preview/**", "/download/**")
		.map(PathPatternParser.defaultInstance::parse)
		.toList();

	private static final Refusal METHOD = new Refusal(Refusal.Kind.METHOD_NOT_ALLOWED, "Method not allowed");

	private static final Refusal MEDIA_TYPE = new Refusal(Refusal.Kind.UNSUPPORTED, "Unsupported media type");

	private static final Refusal TOO_LARGE = new Refusal(Refusal.Kind.TOO_LARGE, "Payload too large");

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final GraphQlLimits limits;

	private final StoredDocuments documents;

	private final JsonMapper json;

	private final BodyMemory memory;

	RequestGate(GraphQlLimits limits, StoredDocuments documents, JsonMapper json, BodyMemory memory) {
		this.memory = memory;
		this.limits = limits;
		this.documents = documents;
		this.json = json;
	}

	/** The body of a request was bounded by the gate before it is decoded. */
	@Override
	public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
		configurer.defaultCodecs().maxInMemorySize((int) MAX_BODY.toBytes());
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!PATH.matches(exchange.getRequest().getPath().pathWithinApplication())) {
			return chain.filter(exchange);
		}
		checkHead(exchange);
		return MemoryOwner.of(exchange).flatMap((owner) -> filter(exchange, chain, owner));
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, MemoryOwner owner) {
		boolean small = !owner.isAccount() || isStream(exchange.getRequest().getHeaders());
		BodyMemory.Hold hold = this.memory.hold(owner, small ? MAX_DOCUMENT : MAX_BODY);
		return DataBufferUtils.join(hold.counted(exchange.getRequest().getBody()))
			.map(RequestGate::bytes)
			.defaultIfEmpty(new byte[0])
			.map(this::checked)
			.flatMap((body) -> chain.filter(exchange.mutate().request(withBody(exchange, body)).build()))
			.doFinally((_) -> hold.release());
	}

	/** Previews and downloads count as memory of their account. */
	@Override
	public long expected(ServerHttpRequest request) {
		PathContainer path = request.getPath().pathWithinApplication();
		return SIGNED.stream().anyMatch((signed) -> signed.matches(path)) ? UNCOUNTED : 0;
	}

	/**
	 * Whether the response may be a stream, which keeps the variables of its request for
	 * minutes.
	 */
	static boolean isStream(HttpHeaders headers) {
		try {
			return headers.getAccept()
				.stream()
				.anyMatch((type) -> !type.isWildcardType() && type.isCompatibleWith(MediaType.TEXT_EVENT_STREAM));
		}
		catch (InvalidMediaTypeException _) {
			return true;
		}
	}

	private void checkHead(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		if (!HttpMethod.POST.equals(request.getMethod())) {
			exchange.getResponse().getHeaders().setAllow(Set.of(HttpMethod.POST));
			throw METHOD.because("Send GraphQL requests with POST");
		}
		if (!isJson(request.getHeaders())) {
			throw MEDIA_TYPE.because("Send the request as application/json");
		}
		if (!isOwnOrigin(request)) {
			throw FORBIDDEN.because("Requests from pages of other origins are refused");
		}
	}

	private static boolean isJson(HttpHeaders headers) {
		try {
			@Nullable MediaType type = headers.getContentType();
			return type != null && type.equalsTypeAndSubtype(MediaType.APPLICATION_JSON);
		}
		catch (InvalidMediaTypeException _) {
			return false;
		}
	}

	/** Browsers send the Origin header with every POST; other clients have none. */
	private boolean isOwnOrigin(ServerHttpRequest request) {
		List<String> origins = request.getHeaders().getOrDefault(HttpHeaders.ORIGIN, List.of());
		if (origins.isEmpty()) {
			return true;
		}
		String origin = origins.getFirst();
		@Nullable String host = request.getHeaders().getFirst(HttpHeaders.HOST);
		return origins.size() == 1 && (origin.equals(this.limits.appUrl())
				|| (host != null && (origin.equals("http://" + host) || origin.equals("https://" + host))));
	}

	private byte[] checked(byte[] body) {
		try {
			JsonNode request = this.json.readTree(body);
			if (!(request instanceof ObjectNode operation)) {
				throw invalid("A request is one JSON object with one operation");
			}
			if (operation.path("id").isString()) {
				String id = operation.path("id").stringValue();
				operation.put("query",
						this.documents.find(id).orElseThrow(() -> invalid("There is no stored document " + id)));
			}
			if (!operation.path("query").isString()) {
				throw invalid("The field query must hold a GraphQL document");
			}
			if (operation.path("query").stringValue().getBytes(StandardCharsets.UTF_8).length > MAX_DOCUMENT
				.toBytes()) {
				throw TOO_LARGE.because("A document may have at most " + MAX_DOCUMENT.toKilobytes() + " KB");
			}
			if (!isOmitted(operation, "operationName") && !operation.path("operationName").isString()) {
				throw invalid("The field operationName must hold the name of an operation");
			}
			if (!isOmitted(operation, "variables") && !operation.path("variables").isObject()) {
				throw invalid("The field variables must hold an object");
			}
			return this.json.writeValueAsBytes(fields(operation));
		}
		catch (JacksonException _) {
			throw invalid("The body is not valid JSON in UTF-8");
		}
	}

	private static boolean isOmitted(ObjectNode operation, String field) {
		return operation.path(field).isMissingNode() || operation.path(field).isNull();
	}

	private static Map<String, Object> fields(ObjectNode operation) {
		Map<String, Object> fields = new HashMap<>();
		for (String name : List.of("query", "operationName", "variables")) {
			if (!isOmitted(operation, name)) {
				fields.put(name, operation.path(name));
			}
		}
		return fields;
	}

	private static byte[] bytes(DataBuffer buffer) {
		try {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			return bytes;
		}
		finally {
			DataBufferUtils.release(buffer);
		}
	}

	private static ServerHttpRequest withBody(ServerWebExchange exchange, byte[] body) {
		return new ServerHttpRequestDecorator(exchange.getRequest()) {
			@Override
			public Flux<DataBuffer> getBody() {
				return Flux.just(exchange.getResponse().bufferFactory().wrap(body));
			}
		};
	}

	private static Refused invalid(String message) {
		return Refusal.INVALID_REQUEST.because(message);
	}

}
