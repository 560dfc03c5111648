package dev.mailroom.sdk;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.sdk.MailroomException.ConnectionFailure;
import dev.mailroom.sdk.MailroomException.Failure;
import dev.mailroom.sdk.MailroomException.FieldError;
import dev.mailroom.sdk.MailroomException.NotFound;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests, and repeats those that can be repeated without doing something twice.
 */
final class Transport {

	/** The page about a deprecation. */
	private static final Pattern LINK = Pattern.compile("<([^>]*)>;[^,]*rel=\"deprecation\"");

	private static final System.Logger LOG = System.getLogger(Transport.class.getName());

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration MAX_RETRY_AFTER = Duration.ofSeconds(30);

	private static final long FIRST_DELAY_MS = 500;

	private static final long MAX_DELAY_MS = 8_000;

	private static final int MEGABYTE = 1024 * 1024;

	private static final Set<Integer> RETRIED = Set.of(500, 502, 503, 504);

	private static final SecureRandom RANDOM = new SecureRandom();

	private final HttpClient http;

	private final String url;

	private final String key;

	private final String agent;

	private final Set<String> warned;

	private final CallObserver observer;

	private final CallOptions options;

	Transport(@Nullable HttpClient http, String url, String key, @Nullable String app, CallObserver observer,
			CallOptions options) {
		this((http != null) ? http : usual(url), url.replaceAll("/+$", ""), key, agent(app),
				ConcurrentHashMap.newKeySet(), observer, options);
	}

	private Transport(HttpClient http, String url, String key, String agent, Set<String> warned, CallObserver observer,
			CallOptions options) {
		this.http = http;
		this.url = url;
		this.key = key;
		this.agent = agent;
		this.warned = warned;
		this.observer = observer;
		this.options = options;
	}

	private static HttpClient usual(String url) {
		return HttpClient.newBuilder()
			// The upgrade of a plain connection to HTTP/2 is known to few servers.
			.version(url.startsWith("https:") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
			.connectTimeout(CONNECT_TIMEOUT)
			.build();
	}

	private static String agent(@Nullable String app) {
		String system = System.getProperty("os.name", "unknown").toLowerCase(java.util.Locale.ROOT);
		return "mailroom-java/" + Versions.LIBRARY + " (java " + Runtime.version().feature() + "; " + system + ")"
				+ ((app != null) ? " " + app : "");
	}

	/** The same connections with other options. */
	Transport with(CallOptions options) {
		return new Transport(this.http, this.url, this.key, this.agent, this.warned, this.observer, options);
	}

	CallOptions options() {
		return this.options;
	}

	JsonObject json(Call call) {
		return send(call, BodyHandlers.ofByteArray(), (response) -> {
			JsonObject body = JsonObject.read(text(response.body()));
			if (response.headers().firstValue("idempotency-replayed").isPresent()) {
				body.fields().put("replayed", true);
			}
			return body;
		});
	}

	@Nullable Object any(Call call) {
		return send(call, BodyHandlers.ofByteArray(),
				(response) -> Optional.ofNullable(Json.read(text(response.body()))))
			.orElse(null);
	}

	/** A DELETE that finds nothing on a later attempt is done. */
	void nothing(Call call) {
		try {
			send(call, BodyHandlers.ofByteArray(), HttpResponse::body);
		}
		catch (NotFound ex) {
			if (!call.method().equals("DELETE") || ex.attempts() < 2) {
				throw ex;
			}
		}
	}

	byte[] bytes(Call call) {
		return send(call.accept("*/*"), BodyHandlers.ofByteArray(), HttpResponse::body);
	}

	InputStream stream(Call call) {
		Call any = call.accept().equals("application/json") ? call.accept("*/*") : call;
		return send(any, BodyHandlers.ofInputStream(), HttpResponse::body);
	}

	<T> Items<T> list(Call call, String name, Function<JsonObject, T> reader) {
		return new Items<>((cursor) -> {
			Map<String, @Nullable Object> query = new java.util.LinkedHashMap<>(call.query());
			query.put("cursor", cursor);
			JsonObject data = json(call.query(query)).object("data");
			return new Items.Page<>(data.list(name, reader), data.object("pagination").textOrNull("next_cursor"));
		}, "");
	}

	private <B, T> T send(Call call, BodyHandler<B> handler, Function<HttpResponse<B>, T> reader) {
		return this.observer.observe(call.name(), () -> attempts(call, handler, reader));
	}

	private <B, T> T attempts(Call call, BodyHandler<B> handler, Function<HttpResponse<B>, T> reader) {
		@Nullable String idempotencyKey = idempotencyKey(call);
		boolean repeatable = !call.method().equals("POST") || idempotencyKey != null;
		long deadline = System.nanoTime() + this.options.timeout().toNanos();
		for (int attempt = 1;; attempt++) {
			Attempt<B> made = new Attempt<>(call, idempotencyKey, uuid7(), attempt, handler);
			MailroomException failed;
			try {
				return made.run(deadline, reader);
			}
			catch (MailroomException ex) {
				failed = ex;
			}
			long delay = delay(failed, attempt, repeatable);
			if (delay < 0 || System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delay) >= deadline) {
				throw failed;
			}
			try {
				Thread.sleep(delay);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw failed;
			}
		}
	}

	/** Other operations ignore a key, so it would not make them repeatable. */
	private @Nullable String idempotencyKey(Call call) {
		if (!call.idempotent() || !call.method().equals("POST")) {
			return null;
		}
		@Nullable String given = this.options.idempotencyKey();
		return (given != null) ? given : uuid7();
	}

	/** Milliseconds until the next attempt; negative if there is none. */
	private long delay(MailroomException failed, int attempt, boolean repeatable) {
		if (attempt > this.options.retries() || Thread.currentThread().isInterrupted() || !isTransient(failed)
				|| (!repeatable && !isUnconnected(failed))) {
			return -1;
		}
		if (failed.retryAfter().isPresent()) {
			Duration after = failed.retryAfter().get();
			return (after.compareTo(MAX_RETRY_AFTER) <= 0) ? after.toMillis() : -1;
		}
		long longest = Math.min(FIRST_DELAY_MS << Math.min(attempt - 1, 10), MAX_DELAY_MS);
		return ThreadLocalRandom.current().nextLong(longest + 1);
	}

	private static boolean isTransient(MailroomException failed) {
		return failed instanceof ConnectionFailure || RETRIED.contains(failed.statusCode())
				|| (failed.statusCode() == 409 && failed.name().equals(ErrorNames.REQUEST_IN_PROGRESS))
				|| (failed.statusCode() == 429 && failed.name().equals(ErrorNames.RATE_LIMIT_EXCEEDED));
	}

	/** Whether a request cannot have reached the server. */
	private static boolean isUnconnected(MailroomException failed) {
		for (@Nullable
		Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
				return true;
			}
		}
		return false;
	}

	/** The address and the public part of the key. */
	@Override
	public String toString() {
		int end = this.key.indexOf('_', this.key.indexOf('_') + 1);
		return this.url + " " + ((end > 0) ? this.key.substring(0, end) : "key") + "…";
	}

	/** A part of a path. */
	static String encoded(Object part) {
		return URLEncoder.encode(part.toString(), StandardCharsets.UTF_8).replace("+", "%20");
	}

	/** A UUID of version 7 (RFC 9562). */
	static String uuid7() {
		long time = System.currentTimeMillis();
		long most = (time << 16) | 0x7000 | (RANDOM.nextInt() & 0xfff);
		long least = (RANDOM.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
		return new UUID(most, least).toString();
	}

	private static String text(byte[] body) {
		return new String(body, StandardCharsets.UTF_8);
	}

	/** One request of a call. */
	private final class Attempt<B> {

		private final Call call;

		private final @Nullable String idempotencyKey;

		private final String requestId;

		private final int number;

		private final BodyHandler<B> handler;

		Attempt(Call call, @Nullable String idempotencyKey, String requestId, int number, BodyHandler<B> handler) {
			this.call = call;
			this.idempotencyKey = idempotencyKey;
			this.requestId = requestId;
			this.number = number;
			this.handler = handler;
		}

		<T> T run(long deadline, Function<HttpResponse<B>, T> reader) {
			byte @Nullable [] body = this.call.body();
			long size = (body != null) ? body.length : 0;
			long longest = options().attemptTimeout().plusSeconds(size / MEGABYTE).toNanos();
			long timeout = Math.max(1, Math.min(longest, deadline - System.nanoTime()));
			CompletableFuture<HttpResponse<B>> sent = Transport.this.http.sendAsync(request(body), this.handler);
			try {
				HttpResponse<B> response = sent.get(timeout, TimeUnit.NANOSECONDS);
				warn(response);
				if (response.statusCode() / 100 != 2) {
					throw MailroomException.of(failure(response));
				}
				return reader.apply(response);
			}
			catch (TimeoutException ex) {
				sent.cancel(true);
				throw lost("timeout", "no response within " + TimeUnit.NANOSECONDS.toMillis(timeout) + " ms", ex);
			}
			catch (InterruptedException ex) {
				sent.cancel(true);
				Thread.currentThread().interrupt();
				throw lost("interrupted", "the thread was interrupted", ex);
			}
			catch (ExecutionException ex) {
				throw lost("connection_failure", "no response (" + ex.getCause() + ")", ex.getCause());
			}
			catch (IllegalArgumentException ex) {
				throw lost("unreadable_response", "the response cannot be read: " + ex.getMessage(), ex);
			}
		}

		private HttpRequest request(byte @Nullable [] body) {
			String query = this.call.query()
				.entrySet()
				.stream()
				.filter((entry) -> entry.getValue() != null)
				.flatMap((entry) -> ((entry.getValue() instanceof List<?> values) ? values : List.of(entry.getValue()))
					.stream()
					.map((value) -> encoded(entry.getKey()) + "=" + encoded(value)))
				.collect(Collectors.joining("&"));
			String path = this.call.path() + (query.isEmpty() ? "" : "?" + query);
			HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(Transport.this.url + path))
				.method(this.call.method(), (body != null) ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody())
				.header("Authorization", "Bearer " + Transport.this.key)
				.header("Accept", this.call.accept())
				.header("Api-Version", Versions.API)
				.header("User-Agent", Transport.this.agent)
				.header("X-Request-Id", this.requestId)
				.header("Mailroom-Attempt", Integer.toString(this.number));
			if (body != null) {
				request.header("Content-Type", this.call.type());
			}
			if (this.idempotencyKey != null) {
				request.header("Idempotency-Key", this.idempotencyKey);
			}
			return request.build();
		}

		private void warn(HttpResponse<B> response) {
			if (response.headers().firstValue("deprecation").isPresent()
					&& Transport.this.warned.add(this.call.name())) {
				String sunset = response.headers().firstValue("sunset").map((it) -> " and ends on " + it).orElse("");
				Matcher link = LINK.matcher(String.join(", ", response.headers().allValues("link")));
				String see = link.find() ? ", see " + link.group(1) : "";
				LOG.log(System.Logger.Level.WARNING, "Mailroom: " + this.call.name() + " is deprecated" + sunset + see);
			}
		}

		private MailroomException lost(String name, String what, @Nullable Throwable cause) {
			String message = this.call.method() + " " + this.call.path() + ": " + what + ", request id "
					+ this.requestId;
			return new ConnectionFailure(new Failure(name, 0, message, List.of(), this.requestId, null, null,
					this.idempotencyKey, this.number, Map.of(), cause));
		}

		private Failure failure(HttpResponse<B> response) {
			JsonObject body = body(response.body());
			String id = response.headers().firstValue("x-request-id").orElse(this.requestId);
			@Nullable Duration after = response.headers()
				.firstValue("retry-after")
				.filter((it) -> it.matches("[0-9]{1,9}"))
				.map((it) -> Duration.ofSeconds(Long.parseLong(it)))
				.orElse(null);
			int status = response.statusCode();
			return new Failure(text(body, "name", "http_" + status), status,
					text(body, "message", "The server answered " + status), body.list("details", FieldError::of), id,
					body.textOrNull("docs_url"), after, this.idempotencyKey, this.number, response.headers().map(),
					null);
		}

		private static String text(JsonObject body, String name, String otherwise) {
			@Nullable String text = body.textOrNull(name);
			return (text != null) ? text : otherwise;
		}

		/** The error in a body; empty if a proxy answered. */
		private static JsonObject body(Object body) {
			try (InputStream in = (body instanceof InputStream stream) ? stream
					: new ByteArrayInputStream((byte[]) body)) {
				return JsonObject.read(Transport.text(in.readAllBytes()));
			}
			catch (IllegalArgumentException ex) {
				return new JsonObject(Map.of());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
