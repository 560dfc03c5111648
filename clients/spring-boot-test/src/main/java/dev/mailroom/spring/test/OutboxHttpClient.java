package dev.mailroom.spring.test;

import java.io.ByteArrayOutputStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/** Answers requests in the JVM: mails go to an outbox. */
final class OutboxHttpClient extends HttpClient {

	private final OutboxApi api;

	OutboxHttpClient(Outbox outbox) {
		this.api = new OutboxApi(outbox);
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
		Collector body = new Collector();
		request.bodyPublisher().ifPresentOrElse((publisher) -> publisher.subscribe(body), body::onComplete);
		return body.bytes.thenCompose((bytes) -> {
			OutboxApi.Answer answer = this.api.answer(request, bytes);
			HttpHeaders headers = HttpHeaders.of(answer.headers(), (name, value) -> true);
			BodySubscriber<T> subscriber = handler.apply(new Info(answer.status(), headers));
			subscriber.onSubscribe(new Requested());
			subscriber.onNext(List.of(ByteBuffer.wrap(answer.body().getBytes(StandardCharsets.UTF_8))));
			subscriber.onComplete();
			return subscriber.getBody()
				.thenApply((it) -> (HttpResponse<T>) new Response<>(answer.status(), request, headers, it));
		});
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler,
			PushPromiseHandler<T> pushes) {
		return sendAsync(request, handler);
	}

	@Override
	public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
		return sendAsync(request, handler).join();
	}

	@Override
	public Optional<CookieHandler> cookieHandler() {
		return Optional.empty();
	}

	@Override
	public Optional<Duration> connectTimeout() {
		return Optional.empty();
	}

	@Override
	public Redirect followRedirects() {
		return Redirect.NEVER;
	}

	@Override
	public Optional<ProxySelector> proxy() {
		return Optional.empty();
	}

	@Override
	public SSLContext sslContext() {
		try {
			return SSLContext.getDefault();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public SSLParameters sslParameters() {
		return new SSLParameters();
	}

	@Override
	public Optional<Authenticator> authenticator() {
		return Optional.empty();
	}

	@Override
	public Version version() {
		return Version.HTTP_1_1;
	}

	@Override
	public Optional<Executor> executor() {
		return Optional.empty();
	}

	/** The bytes of a request's body. */
	private static final class Collector implements Flow.Subscriber<ByteBuffer> {

		private final ByteArrayOutputStream received = new ByteArrayOutputStream();

		private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();

		@Override
		public void onSubscribe(Flow.Subscription subscription) {
			subscription.request(Long.MAX_VALUE);
		}

		@Override
		public void onNext(ByteBuffer buffer) {
			byte[] piece = new byte[buffer.remaining()];
			buffer.get(piece);
			this.received.writeBytes(piece);
		}

		@Override
		public void onError(Throwable error) {
			this.bytes.completeExceptionally(error);
		}

		@Override
		public void onComplete() {
			this.bytes.complete(this.received.toByteArray());
		}

	}

	/** A subscription whose items are sent without a request for them. */
	private record Requested() implements Flow.Subscription {

		@Override
		public void request(long count) {
		}

		@Override
		public void cancel() {
		}

	}

	private record Info(int statusCode, HttpHeaders headers) implements ResponseInfo {

		@Override
		public Version version() {
			return Version.HTTP_1_1;
		}

	}

	private record Response<T>(int statusCode, HttpRequest request, HttpHeaders headers,
			T body) implements HttpResponse<T> {

		@Override
		public Optional<HttpResponse<T>> previousResponse() {
			return Optional.empty();
		}

		@Override
		public Optional<SSLSession> sslSession() {
			return Optional.empty();
		}

		@Override
		public URI uri() {
			return this.request.uri();
		}

		@Override
		public Version version() {
			return Version.HTTP_1_1;
		}

	}

}
