package dev.mailroom.blob;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * Client of a bucket with the API of S3. Requests are signed with AWS Signature Version 4
 * and are idempotent. A failed one is repeated.
 */
class Bucket {

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(20);

	private static final int MAX_RETRIES = 2;

	private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(200);

	private static final Retry RETRY = Retry.backoff(MAX_RETRIES, MIN_RETRY_DELAY)
		.filter((error) -> error instanceof IOException)
		.onRetryExhaustedThrow((_, signal) -> signal.failure());

	private static final int NOT_FOUND = 404;

	private static final Pattern CODE = Pattern.compile("<Code>(\\w+)</Code>");

	private static final int SERVER_ERROR = 500;

	/** Headers that the HTTP client sets itself, with the same values. */
	private static final Set<String> SET_BY_CLIENT = Set.of("host", "content-length");

	private static final byte[] NO_CONTENT = {};

	private final HttpClient http;

	private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

	private final BlobSettings.S3 settings;

	private final URI root;

	Bucket(BlobSettings.S3 settings) {
		this.settings = settings;
		this.root = root(settings);
		HttpClient.Builder client = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.connectTimeout(CONNECT_TIMEOUT);
		@Nullable Path authorities = settings.caFile();
		if (authorities != null && !authorities.toString().isBlank()) {
			client.sslContext(trusting(authorities));
		}
		this.http = client.build();
	}

	private static SSLContext trusting(Path authorities) {
		PemSslStoreDetails trusted = PemSslStoreDetails.forCertificate(authorities.toUri().toString());
		try {
			return SslBundle.of(new PemSslStoreBundle(null, trusted)).createSslContext();
		}
		catch (IllegalStateException | UncheckedIOException _) {
			throw new WrongSetting("MAILROOM_S3_CA_FILE", authorities.toString(), "a file with certificates in PEM");
		}
	}

	Mono<Void> put(String key, byte[] content) {
		return send(SdkHttpMethod.PUT, key, content).then();
	}

	/** Reads an object; {@link BlobGone} if it does not exist. */
	Mono<byte[]> get(String key) {
		return send(SdkHttpMethod.GET, key, NO_CONTENT);
	}

	/**
	 * Reads an object on the calling thread, which may be interrupted.
	 * @throws BlobGone if it does not exist
	 */
	byte[] read(String key) throws IOException, InterruptedException {
		return exchange(SdkHttpMethod.GET, key, NO_CONTENT);
	}

	/** Writes an object on the calling thread, which may be interrupted. */
	void write(String key, byte[] content) throws IOException, InterruptedException {
		exchange(SdkHttpMethod.PUT, key, content);
	}

	private byte[] exchange(SdkHttpMethod method, String key, byte[] content) throws IOException, InterruptedException {
		for (int retries = 0;; retries++) {
			try {
				return body(method, key,
						this.http.send(signed(method, key, content), HttpResponse.BodyHandlers.ofByteArray()));
			}
			catch (IOException ex) {
				if (retries == MAX_RETRIES) {
					throw ex;
				}
				Thread.sleep(MIN_RETRY_DELAY.multipliedBy(1L << retries));
			}
		}
	}

	/**
	 * Checks that the bucket exists and answers. It is asked for an object that no mail
	 * has, because that needs no other permission than the reading of a mail.
	 */
	Mono<Void> check() {
		return get("check").onErrorComplete(BlobGone.class).then();
	}

	/**
	 * Deletes an object if it exists, on the calling thread, which may be interrupted.
	 */
	void delete(String key) throws IOException, InterruptedException {
		try {
			exchange(SdkHttpMethod.DELETE, key, NO_CONTENT);
		}
		catch (BlobGone _) {
			// As if it had been deleted here.
		}
	}

	private Mono<byte[]> send(SdkHttpMethod method, String key, byte[] content) {
		return Mono.defer(() -> {
			HttpRequest request = signed(method, key, content);
			return Mono.fromFuture(() -> this.http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()))
				.flatMap((response) -> Mono.fromCallable(() -> body(method, key, response)));
		}).retryWhen(RETRY);
	}

	private static byte[] body(SdkHttpMethod method, String key, HttpResponse<byte[]> response) throws IOException {
		int status = response.statusCode();
		if (status / 100 == 2) {
			return response.body();
		}
		String code = code(response);
		// A bucket that does not exist, or is not the one that was meant, answers 404 as
		// well.
		if (status == NOT_FOUND && code.equals("NoSuchKey")) {
			throw new BlobGone(key);
		}
		String message = "The bucket answered " + status + " " + code + " to " + method + " " + key;
		if (status >= SERVER_ERROR || status == NOT_FOUND) {
			throw new IOException(message);
		}
		throw new IllegalStateException(message);
	}

	/** The error code in the body of a response; empty if there is none. */
	private static String code(HttpResponse<byte[]> response) {
		Matcher code = CODE.matcher(new String(response.body(), StandardCharsets.UTF_8));
		return code.find() ? code.group(1) : "";
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
		HttpRequest.Builder request = HttpRequest.newBuilder(signed.getUri()).timeout(RESPONSE_TIMEOUT);
		signed.forEachHeader((name, values) -> {
			if (!SET_BY_CLIENT.contains(name.toLowerCase(Locale.ROOT))) {
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
