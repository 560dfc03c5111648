package dev.mailroom.blob;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * A bucket that is spoken to as S3 is: three requests, signed by Amazon's own signer. All
 * three may be said twice.
 */
class Bucket {

	private static final Duration CONNECT = Duration.ofSeconds(5);

	private static final Duration ANSWER = Duration.ofSeconds(20);

	private static final Retry AGAIN = Retry.backoff(2, Duration.ofMillis(200))
		.filter((error) -> error instanceof IOException)
		.onRetryExhaustedThrow((_, signal) -> signal.failure());

	private static final int NOT_FOUND = 404;

	private static final int FAULTS = 500;

	/** The client says these itself, in the same words. */
	private static final Set<String> OWN = Set.of("host", "content-length");

	private static final byte[] NOTHING = {};

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(CONNECT)
		.build();

	private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

	private final BlobSettings.S3 settings;

	private final URI root;

	Bucket(BlobSettings.S3 settings) {
		this.settings = settings;
		this.root = root(settings);
	}

	Mono<Void> put(String key, byte[] content) {
		return ask(SdkHttpMethod.PUT, key, content).then();
	}

	/** Reads an object; {@link BlobGone} where there is none. */
	Mono<byte[]> get(String key) {
		return ask(SdkHttpMethod.GET, key, NOTHING);
	}

	/** Removes an object, if it is there. */
	Mono<Void> delete(String key) {
		return ask(SdkHttpMethod.DELETE, key, NOTHING).onErrorComplete(BlobGone.class).then();
	}

	private Mono<byte[]> ask(SdkHttpMethod method, String key, byte[] content) {
		return Mono.defer(() -> {
			HttpRequest request = signed(method, key, content);
			return Mono.fromFuture(() -> this.http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()))
				.flatMap((answer) -> read(method, key, answer));
		}).retryWhen(AGAIN);
	}

	private Mono<byte[]> read(SdkHttpMethod method, String key, HttpResponse<byte[]> answer) {
		int status = answer.statusCode();
		if (status / 100 == 2) {
			return Mono.just(answer.body());
		}
		if (status == NOT_FOUND && method != SdkHttpMethod.PUT) {
			return Mono.error(new BlobGone(key));
		}
		String said = "The bucket answered " + status + " to " + method + " " + key;
		return Mono.error((status >= FAULTS) ? new IOException(said) : new IllegalStateException(said));
	}

	private HttpRequest signed(SdkHttpMethod method, String key, byte[] content) {
		SdkHttpRequest plain = SdkHttpRequest.builder().uri(URI.create(this.root + "/" + key)).method(method).build();
		SdkHttpRequest signed = this.signer
			.sign((sign) -> sign
				.identity(AwsCredentialsIdentity.create(this.settings.accessKey(), this.settings.secretKey()))
				.request(plain)
				.payload(() -> new ByteArrayInputStream(content))
				.putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
				.putProperty(AwsV4HttpSigner.REGION_NAME, this.settings.region())
				.putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
				.putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
			.request();
		HttpRequest.Builder request = HttpRequest.newBuilder(signed.getUri()).timeout(ANSWER);
		signed.forEachHeader((name, values) -> {
			if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
				values.forEach((value) -> request.header(name, value));
			}
		});
		return request
			.method(method.name(),
					(method == SdkHttpMethod.PUT) ? HttpRequest.BodyPublishers.ofByteArray(content)
							: HttpRequest.BodyPublishers.noBody())
			.build();
	}

	private static URI root(BlobSettings.S3 settings) {
		URI server = URI.create(settings.endpoint().isBlank() ? "https://s3." + settings.region() + ".amazonaws.com"
				: settings.endpoint().strip().replaceAll("/+$", ""));
		return settings.pathStyle() ? URI.create(server + "/" + settings.bucket())
				: URI.create(server.getScheme() + "://" + settings.bucket() + "." + server.getAuthority());
	}

}
