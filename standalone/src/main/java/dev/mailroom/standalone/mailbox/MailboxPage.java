package dev.mailroom.standalone.mailbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** HTTP server of the caught messages: a page, and JSON. */
final class MailboxPage {

	/**
	 * Prevents scripts, external resources and forms in a message's HTML. The sandboxed
	 * frame in which it is shown inherits the policy.
	 */
	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
			+ "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	/** Host fields that name this machine. */
	private static final Pattern LOCAL = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");

	private static final JsonMapper JSON = JsonMapper.builder()
		.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
		.build();

	private final int port;

	private final Messages messages;

	private final String firstTry;

	private @Nullable DisposableServer server;

	MailboxPage(int port, Messages messages, String firstTry) {
		this.port = port;
		this.messages = messages;
		this.firstTry = firstTry;
	}

	void start() {
		this.server = HttpServer.create().host("127.0.0.1").port(this.port).route((routes) -> {
			routes.route((request) -> !isLocal(request), (_,
					response) -> withSecurityHeaders(response).status(HttpResponseStatus.MISDIRECTED_REQUEST).send());
			routes(routes);
		}).bindNow();
	}

	/**
	 * Whether a request names this machine. A page of another site whose name was made to
	 * resolve to this machine (DNS rebinding) sends its own name.
	 */
	private static boolean isLocal(HttpServerRequest request) {
		return LOCAL.matcher(request.requestHeaders().get(HttpHeaderNames.HOST, "")).matches();
	}

	private void routes(HttpServerRoutes routes) {
		routes.get("/", page("text/html", resource("mailbox.html")))
			.get("/mailbox.css", page("text/css", resource("mailbox.css")))
			.get("/mailbox.js", page("text/javascript", resource("mailbox.js")))
			.get("/try", page("text/plain", this.firstTry.getBytes(StandardCharsets.UTF_8)))
			.get("/messages/{id}/raw", this::raw)
			.get("/messages", this::list)
			.delete("/messages", (_, response) -> {
				this.messages.clear();
				return withSecurityHeaders(response).status(HttpResponseStatus.NO_CONTENT).send();
			});
	}

	private static BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> page(String type, byte[] bytes) {
		return (_, response) -> withSecurityHeaders(response)
			.header(HttpHeaderNames.CONTENT_TYPE, type + "; charset=utf-8")
			.sendByteArray(Mono.just(bytes));
	}

	private static byte[] resource(String name) {
		try (InputStream file = MailboxPage.class.getResourceAsStream("/mailbox/" + name)) {
			if (file == null) {
				throw new IllegalStateException("The mailbox page has no resource " + name);
			}
			return file.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Publisher<Void> list(HttpServerRequest request, HttpServerResponse response) {
		// The page polls every second: without changes the response has no body.
		String etag = "\"" + this.messages.changes() + "\"";
		withSecurityHeaders(response).header(HttpHeaderNames.ETAG, etag);
		if (etag.equals(request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH))) {
			return response.status(HttpResponseStatus.NOT_MODIFIED).send();
		}
		return response.header(HttpHeaderNames.CONTENT_TYPE, "application/json")
			.sendByteArray(Mono.fromSupplier(
					() -> JSON.writeValueAsBytes(new Listing(this.messages.matching(filter(request.uri()))))));
	}

	private static Predicate<Message> filter(String uri) {
		List<String> recipients = new QueryStringDecoder(uri).parameters().getOrDefault("to", List.of());
		return (message) -> recipients.isEmpty() || recipients.stream().anyMatch(message::isFor);
	}

	private Publisher<Void> raw(HttpServerRequest request, HttpServerResponse response) {
		Optional<Message> message = this.messages.find(String.valueOf(request.param("id")));
		if (message.isEmpty()) {
			return response.sendNotFound();
		}
		return withSecurityHeaders(response).header(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
			.sendByteArray(Mono.just(message.get().mail().content()));
	}

	private static HttpServerResponse withSecurityHeaders(HttpServerResponse response) {
		return response.header(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
			.header(HttpHeaderNames.CACHE_CONTROL, "no-cache")
			.header("X-Content-Type-Options", "nosniff")
			.header("Referrer-Policy", "no-referrer");
	}

	/** Port of the server. */
	int port() {
		return (this.server != null) ? this.server.port() : this.port;
	}

	void close() {
		if (this.server != null) {
			this.server.disposeNow();
		}
	}

	private record Listing(List<Message> messages) {

	}

}
