package dev.mailroom.worker.webhook;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;

import dev.mailroom.webhook.CallResult;
import dev.mailroom.webhook.CallSignature;
import dev.mailroom.webhook.LeasedEndpoint;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.http.client.PrematureCloseException;

import org.springframework.stereotype.Component;

/**
 * HTTP client of webhook calls. Each call has a connection of its own to an address that
 * was checked; redirects are not followed and proxies not used.
 */
@Component
class CallClient {

	private static final int MAX_ANSWER_BYTES = 4096;

	private static final int MAX_ERROR_LENGTH = 300;

	private static final int SUCCESS = 2;

	private static final int STATUS_CLASS = 100;

	private final HttpClient client;

	private final Duration timeout;

	private final Clock clock;

	CallClient(CheckedAddresses addresses, CalloutSettings settings, Clock clock) throws IOException {
		this.timeout = settings.timeout();
		this.clock = clock;
		this.client = addresses.client(settings.timeout(), trusted(settings.caFile()));
	}

	private static @Nullable SslContext trusted(@Nullable Path file) throws IOException {
		if (file == null || file.toString().isEmpty()) {
			return null;
		}
		try (InputStream certificates = Files.newInputStream(file)) {
			return SslContextBuilder.forClient().trustManager(certificates).build();
		}
	}

	/** Makes a call and waits for its result. Never fails: each error is a result. */
	CallResult call(LeasedEndpoint endpoint, LeasedEndpoint.Call call) {
		Instant began = this.clock.instant();
		long start = System.nanoTime();
		Answer answer;
		try {
			answer = Objects.requireNonNull(post(endpoint, call, began).timeout(this.timeout).block());
		}
		catch (RuntimeException ex) {
			answer = new Answer(null, null, reason(Exceptions.unwrap(ex)), Duration.ZERO);
		}
		return new CallResult(call.id(), call.eventId(), answer.status(), answer.body(), answer.error(),
				answer.retryAfter(), Duration.ofNanos(System.nanoTime() - start), began);
	}

	private Mono<Answer> post(LeasedEndpoint endpoint, LeasedEndpoint.Call call, Instant began) {
		byte[] body = call.body().getBytes(StandardCharsets.UTF_8);
		long timestamp = began.getEpochSecond();
		long deadline = System.nanoTime() + this.timeout.toNanos();
		return this.client.headers((headers) -> {
			set(headers, body.length);
			String signature = CallSignature.of(endpoint.secrets(), call.eventId().toString(), timestamp, body);
			sign(headers, "webhook-", call.eventId().toString(), timestamp, signature);
			if (endpoint.svixHeaders()) {
				sign(headers, "svix-", call.eventId().toString(), timestamp, signature);
			}
		})
			.post()
			.uri(URI.create(endpoint.url()))
			.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
			.response((response, content) -> answer(response, content, began, deadline))
			.next();
	}

	private static void sign(HttpHeaders headers, String prefix, String id, long timestamp, String signature) {
		headers.set(prefix + "id", id).set(prefix + "timestamp", timestamp).set(prefix + "signature", signature);
	}

	private static void set(HttpHeaders headers, int length) {
		headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json")
			.set(HttpHeaderNames.CONTENT_LENGTH, length)
			.set(HttpHeaderNames.ACCEPT, "*/*")
			.set(HttpHeaderNames.USER_AGENT, "Mailroom-Webhooks/1");
	}

	/**
	 * Reads the beginning of the body. Only the status determines the result, even if the
	 * body ends early or is too slow.
	 */
	private static Mono<Answer> answer(HttpClientResponse response, ByteBufFlux content, Instant began, long deadline) {
		ByteArrayOutputStream read = new ByteArrayOutputStream();
		Duration rest = Duration.ofNanos(Math.max(1, deadline - System.nanoTime())).dividedBy(2);
		return content.asByteArray().takeUntil((bytes) -> {
			read.write(bytes, 0, Math.min(bytes.length, MAX_ANSWER_BYTES - read.size()));
			return read.size() >= MAX_ANSWER_BYTES;
		}).take(rest).onErrorComplete().then(Mono.fromSupplier(() -> Answer.of(response, read, began)));
	}

	/** The reason of a failure, for the owner of the endpoint. */
	private String reason(Throwable error) {
		String reason = switch (error) {
			case TimeoutException _ -> "No response within " + this.timeout.toSeconds() + " s";
			case SSLException ssl -> "TLS failed: " + ssl.getMessage();
			case ConnectException _ -> "The connection was refused or timed out";
			case PrematureCloseException _ -> "The connection was closed before the response";
			default -> Objects.requireNonNullElse(error.getMessage(), error.getClass().getSimpleName());
		};
		return clean((reason.length() > MAX_ERROR_LENGTH) ? reason.substring(0, MAX_ERROR_LENGTH) : reason);
	}

	/** PostgreSQL stores no NUL. */
	private static String clean(String text) {
		return text.replace('\0', '\uFFFD');
	}

	/**
	 * The parts of a response that are recorded.
	 *
	 * @param error null if the endpoint accepted the event
	 */
	private record Answer(@Nullable Integer status, @Nullable String body, @Nullable String error,
			Duration retryAfter) {

		static Answer of(HttpClientResponse response, ByteArrayOutputStream read, Instant began) {
			int status = response.status().code();
			String body = clean(read.toString(StandardCharsets.UTF_8));
			if (status / STATUS_CLASS == SUCCESS) {
				return new Answer(status, body, null, Duration.ZERO);
			}
			Duration retryAfter = RetryAfter.read(response.responseHeaders().get(HttpHeaderNames.RETRY_AFTER), began);
			return new Answer(status, body, "The endpoint responded with " + status, retryAfter);
		}

	}

}
