package dev.mailroom.standalone.mailbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.mailroom.standalone.host.LocalNames;
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

/**
 * HTTP server of the caught messages: a page, JSON, and a receiver of webhook calls. It
 * answers only under names of this machine.
 */
final class MailboxPage {

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
			+ "font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
			+ "frame-ancestors 'none'";

	/**
	 * Prevents scripts, forms and remote content in the HTML of a message; its styles are
	 * often inline. Its links open new windows, which are not sandboxed.
	 */
	private static final String MESSAGE_POLICY = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; "
			+ "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

	private static final JsonMapper JSON = JsonMapper.builder()
		.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
		.build();

	/** Time for the head of a request. */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

	/** Time between two pieces of a request body. */
	private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

	/** Time for a whole request body. */
	private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

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
		HttpServerRoutes routes = HttpServerRoutes.newRoutes();
		add(routes);
		this.server = HttpServer.create()
			.host("127.0.0.1")
			.port(this.port)
			.idleTimeout(IDLE_TIMEOUT)
			.readTimeout(READ_TIMEOUT)
			.requestTimeout(REQUEST_TIMEOUT)
			.handle((request, response) -> {
				boolean local = LocalNames.include(request.requestHeaders().get(HttpHeaderNames.HOST));
				return local ? routes.apply(request, response) : refuse(response);
			})
			.bindNow();
	}

	private void add(HttpServerRoutes routes) {
		routes.get("/", page("text/html", resource("mailbox.html")))
			.get("/mailbox.css", page("text/css", stylesheet()))
			.get("/mailbox.js", page("text/javascript", resource("mailbox.js")))
			.get("/try", page("text/plain", this.firstTry.getBytes(StandardCharsets.UTF_8)))
			.get("/mailbox.json",
					(request, response) -> list(request, response,
							() -> new Rows(this.messages.matching((_) -> true).stream().map(MessageRow::of).toList())))
			.get("/messages/{id}/raw",
					(request, response) -> one(request, response, "text/plain; charset=utf-8", POLICY,
							(message) -> message.mail().content()))
			.get("/messages/{id}/html",
					(request, response) -> one(request, response, "text/html; charset=utf-8", MESSAGE_POLICY,
							(message) -> ("<!doctype html><base target=\"_blank\">" + message.html())
								.getBytes(StandardCharsets.UTF_8)))
			.get("/messages/{id}",
					(request, response) -> one(request, response, "application/json", POLICY, JSON::writeValueAsBytes))
			.get("/messages",
					(request, response) -> list(request, response,
							() -> new Listing(this.messages.matching(filter(request.uri())))))
			.post("/webhooks/{name}", MailboxPage::webhook)
			.delete("/messages", (_, response) -> {
				this.messages.clear();
				return withSecurityHeaders(response, POLICY).status(HttpResponseStatus.NO_CONTENT).send();
			});
		Fonts.FILES.forEach((path, font) -> routes.get(path,
				(_, response) -> withSecurityHeaders(response, POLICY)
					.header(HttpHeaderNames.CONTENT_TYPE, "font/woff2")
					.sendByteArray(Mono.just(font))));
	}

	private static Publisher<Void> refuse(HttpServerResponse response) {
		return response.status(HttpResponseStatus.MISDIRECTED_REQUEST).sendString(Mono.just(LocalNames.REFUSAL));
	}

	private static BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> page(String type, byte[] bytes) {
		return (_, response) -> withSecurityHeaders(response, POLICY)
			.header(HttpHeaderNames.CONTENT_TYPE, type + "; charset=utf-8")
			.sendByteArray(Mono.just(bytes));
	}

	private static byte[] stylesheet() {
		return (Fonts.CSS + new String(resource("mailbox.css"), StandardCharsets.UTF_8))
			.getBytes(StandardCharsets.UTF_8);
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

	/** Lists messages; without changes the response to a poll has no body. */
	private Publisher<Void> list(HttpServerRequest request, HttpServerResponse response, Supplier<Object> body) {
		String etag = "\"" + this.messages.changes() + "\"";
		withSecurityHeaders(response, POLICY).header(HttpHeaderNames.ETAG, etag);
		if (etag.equals(request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH))) {
			return response.status(HttpResponseStatus.NOT_MODIFIED).send();
		}
		return response.header(HttpHeaderNames.CONTENT_TYPE, "application/json")
			.sendByteArray(Mono.fromSupplier(() -> JSON.writeValueAsBytes(body.get())));
	}

	private static Predicate<Message> filter(String uri) {
		List<String> recipients = new QueryStringDecoder(uri).parameters().getOrDefault("to", List.of());
		return (message) -> recipients.isEmpty() || recipients.stream().anyMatch(message::isFor);
	}

	private Publisher<Void> one(HttpServerRequest request, HttpServerResponse response, String type, String policy,
			Function<Message, byte[]> body) {
		Optional<Message> message = this.messages.find(String.valueOf(request.param("id")));
		if (message.isEmpty()) {
			return response.sendNotFound();
		}
		return withSecurityHeaders(response, policy).header(HttpHeaderNames.CONTENT_TYPE, type)
			.sendByteArray(Mono.fromSupplier(() -> body.apply(message.get())));
	}

	/** Accepts a webhook call, or answers it with the status in the query. */
	private static Publisher<Void> webhook(HttpServerRequest request, HttpServerResponse response) {
		List<String> status = new QueryStringDecoder(request.uri()).parameters().getOrDefault("status", List.of());
		boolean valid = !status.isEmpty() && status.getFirst().matches("[2-5]\\d\\d");
		int code = valid ? Integer.parseInt(status.getFirst()) : HttpResponseStatus.NO_CONTENT.code();
		return request.receive().then(withSecurityHeaders(response, POLICY).status(code).send().then());
	}

	private static HttpServerResponse withSecurityHeaders(HttpServerResponse response, String policy) {
		return response.header(HttpHeaderNames.CONTENT_SECURITY_POLICY, policy)
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

	private record Rows(List<MessageRow> messages) {

	}

}
