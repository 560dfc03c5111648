package dev.mailroom.account;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The public keys of an OIDC issuer. Their location comes from the issuer's discovery
 * document (OpenID Connect Discovery 1.0, RFC 8414), which is read once, when it is first
 * needed. The keys are read again when they are old, and when a token names a key that is
 * not among them. All reads together are limited to a few a minute, because any client
 * can send such a token.
 */
class IssuerKeys implements AutoCloseable {

	private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(5);

	private static final long MAX_DOCUMENT_BYTES = 256 * 1024;

	private static final int MAX_READS_PER_MINUTE = 5;

	/** Age at which the keys are read again: the issuer may have withdrawn one. */
	private static final Duration REFRESH_AGE = Duration.ofMinutes(10);

	/** Age up to which the keys are used while they cannot be read again. */
	private static final Duration MAX_AGE = Duration.ofHours(1);

	/** Lifetime of the discovery document in the cache. */
	private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(HTTP_TIMEOUT)
		.build();

	private final String issuer;

	private final Clock clock;

	private final Mono<URI> location;

	private volatile @Nullable Read latest;

	private final AtomicInteger reads = new AtomicInteger();

	private final AtomicLong minuteOfReads = new AtomicLong();

	IssuerKeys(String issuer, Clock clock) {
		this.issuer = issuer;
		this.clock = clock;
		this.location = Mono.defer(this::discover).cache((_) -> FOREVER, (_) -> Duration.ZERO, () -> Duration.ZERO);
	}

	private IssuerKeys(URI keys, Clock clock) {
		this.issuer = keys.toString();
		this.clock = clock;
		this.location = Mono.just(keys);
	}

	/** The keys at a known location. */
	static IssuerKeys at(URI keys, Clock clock) {
		return new IssuerKeys(keys, clock);
	}

	/**
	 * Returns the keys that may verify a token.
	 * @param kid the {@code kid} header of the token; null if it has none
	 * @return all keys of the issuer; an error if they cannot be read
	 */
	Flux<JWK> of(@Nullable String kid) {
		return Mono.defer(() -> {
			Read stored = this.latest;
			Duration age = (stored != null) ? Duration.between(stored.at(), this.clock.instant()) : MAX_AGE;
			if (stored == null || age.compareTo(MAX_AGE) >= 0) {
				return mayRead() ? read() : Mono.<JWKSet>error(new IOException("The keys of the issuer " + this.issuer
						+ " were requested " + MAX_READS_PER_MINUTE + " times within the minute"));
			}
			boolean current = age.compareTo(REFRESH_AGE) < 0
					&& (kid == null || stored.keys().getKeyByKeyId(kid) != null);
			return (current || !mayRead()) ? Mono.just(stored.keys())
					: read().onErrorResume((_) -> Mono.just(stored.keys()));
		}).flatMapIterable(JWKSet::getKeys);
	}

	@Override
	public void close() {
		this.http.shutdownNow();
	}

	/** Counts a read of the keys. */
	private boolean mayRead() {
		long minute = TimeUnit.MILLISECONDS.toMinutes(this.clock.millis());
		if (this.minuteOfReads.getAndSet(minute) != minute) {
			this.reads.set(0);
		}
		return this.reads.incrementAndGet() <= MAX_READS_PER_MINUTE;
	}

	private Mono<JWKSet> read() {
		return this.location.flatMap(this::get)
			.flatMap((response) -> Mono.fromCallable(() -> JWKSet.parse(body(response))))
			.doOnNext((set) -> this.latest = new Read(set, this.clock.instant()));
	}

	/** The first of the well-known locations that does not answer with a client error. */
	private Mono<URI> discover() {
		return Flux.fromIterable(locations(URI.create(this.issuer)))
			.concatMap(this::get)
			.filter((response) -> response.statusCode() / 100 != 4)
			.next()
			.switchIfEmpty(
					Mono.error(() -> new IOException("The issuer " + this.issuer + " has no discovery document")))
			.flatMap((response) -> Mono.fromCallable(() -> keysLocation(body(response))));
	}

	private URI keysLocation(String document) throws IOException, ParseException {
		Map<String, Object> metadata = JSONObjectUtils.parse(document);
		if (!this.issuer.equals(metadata.get("issuer"))) {
			throw new IOException(
					"The discovery document of " + this.issuer + " is for the issuer " + metadata.get("issuer"));
		}
		URI keys = JSONObjectUtils.getURI(metadata, "jwks_uri");
		if (keys == null) {
			throw new IOException("The discovery document of " + this.issuer + " has no jwks_uri");
		}
		return keys;
	}

	/** The keys with the time at which they were read. */
	private record Read(JWKSet keys, Instant at) {
	}

	/** Host names are resolved on the calling thread, hence the scheduler. */
	private Mono<HttpResponse<String>> get(URI uri) {
		HttpRequest request = HttpRequest.newBuilder(uri).timeout(HTTP_TIMEOUT).build();
		return Mono
			.fromFuture(() -> this.http.sendAsync(request,
					HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofString(), MAX_DOCUMENT_BYTES)))
			.subscribeOn(Schedulers.boundedElastic());
	}

	private static String body(HttpResponse<String> response) throws IOException {
		if (response.statusCode() / 100 != 2) {
			throw new IOException(response.uri() + " answered with status " + response.statusCode());
		}
		return response.body();
	}

	private static List<URI> locations(URI issuer) {
		String origin = issuer.getScheme() + "://" + issuer.getRawAuthority();
		String path = issuer.getRawPath().replaceAll("/+$", "");
		return Stream
			.of(path + "/.well-known/openid-configuration", "/.well-known/openid-configuration" + path,
					"/.well-known/oauth-authorization-server" + path)
			.map((location) -> URI.create(origin + location))
			.toList();
	}

}
