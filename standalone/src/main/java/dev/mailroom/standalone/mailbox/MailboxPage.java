package dev.mailroom.standalone.mailbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.mailroom.standalone.host.LocalNames;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

	private static final Pattern REMOTE_IMAGE = Pattern
		.compile("(?i)(<img\\b[^>]*?\\s)src(\\s*=\\s*[\"']?(?:https?:|//))");

	private static final JsonMapper JSON = JsonMapper.builder()
		.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
		.build();

	/** Time for the head of a request. */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

	/** Time between two pieces of a request body. */
	private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

	/** Time for a whole request body. */
	private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

	private static final Duration SECRETS_TIMEOUT = Duration.ofSeconds(5);

	private static final int MAX_CALLS = 100;

	private static final int MAX_CALL_BYTES = 1024 * 1024;

	private static final Logger log = LoggerFactory.getLogger(MailboxPage.class);

	private final int port;

	private final Messages messages;

	private final String firstTry;

	private final Clock clock;

	private final Deque<ReceivedCall> calls = new ConcurrentLinkedDeque<>();

	private final AtomicLong callCount = new AtomicLong();

	private volatile Function<String, Mono<List<String>>> secrets = (_) -> Mono.just(List.of());

	private @Nullable DisposableServer server;

	MailboxPage(int port, Messages messages, String firstTry, Clock clock) {
		this.port = port;
		this.messages = messages;
		this.firstTry = firstTry;
		this.clock = clock;
	}

	/** Sets what gives the secrets that sign calls to an address. */
	void verifyWith(Function<String, Mono<List<String>>> secrets) {
		this.secrets = secrets;
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
							() -> new Rows(this.messages.matching((_) -> true).stream().map(MessageRow::of).toList(),
									List.copyOf(this.calls))))
			.get("/messages/{id}/raw",
					(request, response) -> one(request, response, "text/plain; charset=utf-8", POLICY,
							(message) -> message.mail().content()))
			.get("/messages/{id}/html", (request, response) -> one(request, response, "text/html; charset=utf-8",
					MESSAGE_POLICY,
					(message) -> ("<!doctype html><base target=\"_blank\">" + withoutRemoteImages(message.html()))
						.getBytes(StandardCharsets.UTF_8)))
			.get("/messages/{id}/attachments/{index}", this::attachment)
			.get("/messages/{id}",
					(request, response) -> one(request, response, "application/json", POLICY, JSON::writeValueAsBytes))
			.get("/messages", this::messages)
			.get("/webhooks",
					(request, response) -> list(request, response, () -> new Received(List.copyOf(this.calls))))
			.post("/webhooks/{name}", this::webhook)
			.delete("/messages", (request, response) -> {
				Query query = Query.of(request.uri());
				this.messages.remove(query::matches);
				if (query.isEmpty()) {
					this.calls.clear();
					this.callCount.incrementAndGet();
				}
				return withSecurityHeaders(response, POLICY).status(HttpResponseStatus.NO_CONTENT).send();
			});
		Fonts.FILES.forEach((path, font) -> routes.get(path,
				(_, response) -> withSecurityHeaders(response, POLICY)
					.header(HttpHeaderNames.CONTENT_TYPE, "font/woff2")
					.sendByteArray(Mono.just(font))));
	}

	/** The policy refuses remote images too, but the browser reports each as an error. */
	private static String withoutRemoteImages(String html) {
		return REMOTE_IMAGE.matcher(html).replaceAll("$1data-src$2");
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
		String etag = "\"" + this.messages.changes() + "-" + this.callCount + "\"";
		withSecurityHeaders(response, POLICY).header(HttpHeaderNames.ETAG, etag);
		if (etag.equals(request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH))) {
			return response.status(HttpResponseStatus.NOT_MODIFIED).send();
		}
		return response.header(HttpHeaderNames.CONTENT_TYPE, "application/json")
			.sendByteArray(Mono.fromSupplier(() -> JSON.writeValueAsBytes(body.get())));
	}

	/** Lists messages; with {@code wait} as soon as one matches. */
	private Publisher<Void> messages(HttpServerRequest request, HttpServerResponse response) {
		Query query = Query.of(request.uri());
		if (query.patience().isZero()) {
			return list(request, response, () -> new Listing(this.messages.matching(query::matches)));
		}
		return withSecurityHeaders(response, POLICY).header(HttpHeaderNames.CONTENT_TYPE, "application/json")
			.sendByteArray(this.messages.awaited(query::matches, query.patience())
				.map((found) -> JSON.writeValueAsBytes(new Listing(found))));
	}

	private Publisher<Void> attachment(HttpServerRequest request, HttpServerResponse response) {
		String index = String.valueOf(request.param("index"));
		Optional<Message.Attachment> found = this.messages.find(String.valueOf(request.param("id")))
			.filter((message) -> index.matches("\\d{1,3}") && Integer.parseInt(index) < message.attachments().size())
			.map((message) -> message.attachments().get(Integer.parseInt(index)));
		if (found.isEmpty()) {
			return response.sendNotFound();
		}
		// Never shown by a browser, whatever its type.
		return withSecurityHeaders(response, MESSAGE_POLICY)
			.header(HttpHeaderNames.CONTENT_TYPE, "application/octet-stream")
			.header(HttpHeaderNames.CONTENT_DISPOSITION, "attachment")
			.sendByteArray(Mono.just(found.get().content()));
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

	/**
	 * Keeps a webhook call, and answers it with 204 or the status in the query.
	 */
	private Publisher<Void> webhook(HttpServerRequest request, HttpServerResponse response) {
		List<String> status = new QueryStringDecoder(request.uri()).parameters().getOrDefault("status", List.of());
		boolean valid = !status.isEmpty() && status.getFirst().matches("[2-5]\\d\\d");
		int code = valid ? Integer.parseInt(status.getFirst()) : HttpResponseStatus.NO_CONTENT.code();
		HttpHeaders headers = request.requestHeaders();
		boolean kept = headers.getInt(HttpHeaderNames.CONTENT_LENGTH, 0) <= MAX_CALL_BYTES
				&& !headers.contains(HttpHeaderNames.TRANSFER_ENCODING);
		Mono<Void> received = kept ? request.receive()
			.aggregate()
			.asByteArray()
			.defaultIfEmpty(new byte[0])
			.flatMap((body) -> keep(request, code, body)) : request.receive().then();
		return received.then(Mono.defer(() -> withSecurityHeaders(response, POLICY).status(code).send().then()));
	}

	private Mono<Void> keep(HttpServerRequest request, int code, byte[] body) {
		Map<String, String> headers = new TreeMap<>();
		request.requestHeaders()
			.forEach((header) -> headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
		Instant now = this.clock.instant().truncatedTo(ChronoUnit.MILLIS);
		return this.secrets.apply("http://" + headers.get("host") + request.uri())
			.timeout(SECRETS_TIMEOUT)
			.map((known) -> ReceivedCall.verify(headers, body, known, now))
			.onErrorResume((error) -> {
				log.warn("The secrets of webhook endpoints cannot be read", error);
				return Mono.just("the secret cannot be read");
			})
			.doOnNext((result) -> {
				this.calls.addFirst(ReceivedCall.of(now, request.uri(), code, result, headers, body));
				if (this.calls.size() > MAX_CALLS) {
					this.calls.pollLast();
				}
				this.callCount.incrementAndGet();
			})
			.then();
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

	private record Received(List<ReceivedCall> calls) {

	}

	private record Rows(List<MessageRow> messages, List<ReceivedCall> calls) {

	}

	/**
	 * Parameters of a list of messages.
	 *
	 * @param to recipients, of which one has to fit; any if empty
	 * @param subject a part of the subject
	 * @param since the time from which on a message was received
	 * @param patience the time to wait for a message
	 */
	private record Query(List<String> to, String subject, Instant since, Duration patience) {

		private static final Duration MAX_WAIT = Duration.ofSeconds(60);

		static Query of(String uri) {
			Map<String, List<String>> parameters = new QueryStringDecoder(uri).parameters();
			return new Query(parameters.getOrDefault("to", List.of()),
					parameters.getOrDefault("subject", List.of("")).getFirst().toLowerCase(Locale.ROOT),
					since(parameters.getOrDefault("since", List.of("")).getFirst()),
					patience(parameters.getOrDefault("wait", List.of("")).getFirst()));
		}

		private static Instant since(String text) {
			try {
				return OffsetDateTime.parse(text).toInstant();
			}
			catch (DateTimeParseException _) {
				return Instant.MIN;
			}
		}

		/** Seconds. */
		private static Duration patience(String text) {
			Duration wait = text.matches("\\d{1,4}") ? Duration.ofSeconds(Integer.parseInt(text)) : Duration.ZERO;
			return (wait.compareTo(MAX_WAIT) < 0) ? wait : MAX_WAIT;
		}

		boolean isEmpty() {
			return this.to.isEmpty() && this.subject.isEmpty() && this.since.equals(Instant.MIN);
		}

		boolean matches(Message message) {
			return (this.to.isEmpty() || this.to.stream().anyMatch(message::isFor))
					&& message.subject().toLowerCase(Locale.ROOT).contains(this.subject)
					&& !message.receivedAt().isBefore(this.since);
		}

	}

}
