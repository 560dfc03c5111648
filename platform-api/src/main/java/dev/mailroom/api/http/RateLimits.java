package dev.mailroom.api.http;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refusal;
import dev.mailroom.mail.accept.SendRates;
import dev.mailroom.mail.accept.SendRates.Limit;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Limits the requests of each account in a second, and adds the RateLimit header fields
 * of draft-ietf-httpapi-ratelimit-headers-06 to each response. Runs after authentication
 * and before the body is read. Each instance counts its own requests, because a shared
 * counter would cost each request a round trip.
 */
@Component
@Order(1)
public class RateLimits implements WebFilter {

	private static final Refusal TOO_MANY = Refusal.limited("Rate limit exceeded");

	/**
	 * Matched as routes are, so that another spelling of a path has no limit of its own.
	 */
	private static final List<PathPattern> SENDS = Stream.of("/api/emails", "/api/emails/batch")
		.map(PathPatternParser.defaultInstance::parse)
		.toList();

	/** Time without requests after which a bucket is full and can be removed. */
	private static final Duration BUCKET_EXPIRY = Duration.ofMinutes(10);

	private static final long NANOS = Duration.ofSeconds(1).toNanos();

	private final RateSettings settings;

	private final Cache<BucketKey, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(BUCKET_EXPIRY).build();

	private final SendRates rates;

	private final MeterRegistry registry;

	RateLimits(RateSettings settings, SendRates rates, MeterRegistry registry) {
		this.settings = settings;
		this.rates = rates;
		this.registry = registry;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!this.settings.enabled()) {
			return chain.filter(exchange);
		}
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.doOnNext((account) -> consume(account, isSend(exchange.getRequest()), exchange.getResponse().getHeaders()))
			.then(Mono.defer(() -> chain.filter(exchange)));
	}

	/**
	 * Counts a request.
	 * @param send whether it is a request to send
	 * @param headers receives the RateLimit header fields
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded}
	 */
	public void consume(UUID account, boolean send, HttpHeaders headers) {
		if (!this.settings.enabled()) {
			return;
		}
		Limit limit = limit(account, send);
		int burst = limit.burst();
		Bucket bucket = this.buckets.get(new BucketKey(account, send, limit), (_) -> bucket(limit));
		ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
		headers.set("RateLimit-Limit", Integer.toString(burst));
		headers.set("RateLimit-Remaining", Long.toString(probe.getRemainingTokens()));
		headers.set("RateLimit-Reset", Long.toString(seconds(probe.getNanosToWaitForReset())));
		if (!probe.isConsumed()) {
			this.registry.counter("mailroom.rate.limited", "kind", send ? "send" : "other").increment();
			throw TOO_MANY
				.because("This account makes more requests than it may: " + limit.perSecond() + " a second, and "
						+ burst + " at once after a pause. Wait as long as Retry-After says")
				.retryAfter(Duration.ofNanos(probe.getNanosToWaitForRefill()));
		}
	}

	private static Bucket bucket(Limit limit) {
		return Bucket.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(limit.burst())
				.refillGreedy(limit.perSecond(), Duration.ofSeconds(1)))
			.build();
	}

	private Limit limit(UUID account, boolean send) {
		return send ? this.rates.limit(account, new Limit(this.settings.sends(), this.settings.sendBurst()))
				: new Limit(this.settings.others(), this.settings.otherBurst());
	}

	private static boolean isSend(ServerHttpRequest request) {
		return request.getMethod().equals(HttpMethod.POST)
				&& SENDS.stream().anyMatch((route) -> route.matches(request.getPath().pathWithinApplication()));
	}

	/** Nanoseconds as seconds, rounded up. */
	private static long seconds(long nanos) {
		return (nanos + NANOS - 1) / NANOS;
	}

	/**
	 * Key of a bucket.
	 *
	 * @param send whether it counts requests to send, or all others
	 * @param limit the limit in force: another one has another bucket
	 */
	private record BucketKey(UUID account, boolean send, Limit limit) {
	}

}
