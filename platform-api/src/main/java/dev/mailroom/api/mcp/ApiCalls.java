package dev.mailroom.api.mcp;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.i18n.LocaleContextResolver;
import org.springframework.web.server.session.WebSessionManager;
import org.springframework.web.util.UriUtils;

/**
 * Calls of routes of this API by a tool: the same controllers with the same caller. The
 * filters have run for the tool's request, and the tool requires the permission.
 */
@Component
class ApiCalls {

	private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

	private static final WebSessionManager NO_SESSIONS = (_) -> Mono.empty();

	private static final ServerCodecConfigurer CODECS = ServerCodecConfigurer.create();

	private static final LocaleContextResolver LOCALE = new AcceptHeaderLocaleContextResolver();

	private final ObjectProvider<DispatcherHandler> routes;

	private final JsonMapper json;

	ApiCalls(ObjectProvider<DispatcherHandler> routes, JsonMapper json) {
		this.routes = routes;
		this.json = json;
	}

	/**
	 * Calls a route with the arguments of a tool: those that its path names, and the
	 * others as the query or the body.
	 * @param route the path below {@code /api}, and parameters that are always sent
	 */
	Mono<ObjectNode> call(McpTool.Call call, HttpMethod method, String route) {
		ObjectNode rest = call.arguments().deepCopy();
		StringBuilder uri = new StringBuilder("/api").append(PLACE.matcher(route)
			.replaceAll((place) -> Matcher.quoteReplacement(encoded(rest.remove(place.group(1))))));
		if (method.equals(HttpMethod.POST) || method.equals(HttpMethod.PATCH)) {
			return call(call.exchange(), method, URI.create(uri.toString()), rest);
		}
		rest.properties()
			.forEach((query) -> uri.append((uri.indexOf("?") < 0) ? '?' : '&')
				.append(query.getKey())
				.append('=')
				.append(encoded(query.getValue())));
		return call(call.exchange(), method, URI.create(uri.toString()), null);
	}

	private static String encoded(@Nullable JsonNode value) {
		return UriUtils.encode((value != null) ? value.asString("") : "", StandardCharsets.UTF_8);
	}

	/** Calls a route with a body. */
	Mono<ObjectNode> post(McpTool.Call call, String path, JsonNode body) {
		return call(call.exchange(), HttpMethod.POST, URI.create("/api" + path), body);
	}

	private Mono<ObjectNode> call(ServerWebExchange outer, HttpMethod method, URI uri, @Nullable JsonNode body) {
		byte[] bytes = (body != null) ? this.json.writeValueAsBytes(body) : new byte[0];
		ServerHttpRequest request = outer.getRequest().mutate().method(method).uri(uri).headers((headers) -> {
			headers.clear();
			headers.setAccept(List.of(MediaType.APPLICATION_JSON));
			headers.setContentType(MediaType.APPLICATION_JSON);
			headers.setContentLength(bytes.length);
		}).build();
		Answer answer = new Answer();
		ServerWebExchange inner = new DefaultServerWebExchange(new ServerHttpRequestDecorator(request) {
			@Override
			public Flux<DataBuffer> getBody() {
				return (bytes.length == 0) ? Flux.empty()
						: Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(bytes));
			}
		}, answer, NO_SESSIONS, CODECS, LOCALE);
		return this.routes.getObject().handle(inner).then(Mono.fromSupplier(() -> read(answer.text)));
	}

	/** The data of a response, without its envelope. */
	private ObjectNode read(String text) {
		JsonNode body = this.json.readTree(text);
		JsonNode data = body.path("data");
		return (ObjectNode) (data.isObject() ? data : body);
	}

	/** A response that is kept as text. */
	private static final class Answer extends AbstractServerHttpResponse {

		private String text = "{}";

		Answer() {
			super(DefaultDataBufferFactory.sharedInstance);
		}

		@Override
		@SuppressWarnings("TypeParameterUnusedInFormals") // Declared by the superclass.
		public <T> T getNativeResponse() {
			throw new UnsupportedOperationException("A tool has no connection");
		}

		@Override
		protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
			return DataBufferUtils.join(body).doOnNext((joined) -> {
				this.text = joined.toString(StandardCharsets.UTF_8);
				DataBufferUtils.release(joined);
			}).then();
		}

		@Override
		protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
			return writeWithInternal(Flux.from(body).concatMap((part) -> part));
		}

		@Override
		protected void applyStatusCode() {
			// The status says nothing more: a refusal is an error.
		}

		@Override
		protected void applyHeaders() {
			// There is no connection.
		}

		@Override
		protected void applyCookies() {
			// There is no connection.
		}

	}

}
