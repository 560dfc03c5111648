package dev.mailroom.api.rate;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refusal;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
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

/**
 * Lets each account make so many requests in a second, and says in every answer how many
 * are left (the RateLimit header fields of draft-ietf-httpapi-ratelimit-headers-06).
 * Behind the credentials, before the body is read. Each instance counts for itself: to
 * count together would cost every request a round trip.
 */
@Component
@Order(1)
class RateLimits implements WebFilter {

	private static final Refusal TOO_MANY = Refusal.limited("Rate limit exceeded");

	private static final Set<String> SENDS = Set.of("/api/emails", "/api/emails/batch");

	/**
	 * A bucket that nobody has drawn from for so long is full again, and can be
	 * forgotten.
	 */
	private static final Duration FULL_AGAIN = Duration.ofMinutes(10);

	private static final long NANOS = Duration.ofSeconds(1).toNanos();

	private final RateSettings settings;

	private final Cache<Drawer, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(FULL_AGAIN).build();

	RateLimits(RateSettings settings) {
		this.settings = settings;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!this.settings.enabled()) {
			return chain.filter(exchange);
		}
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.doOnNext((account) -> draw(exchange, account))
			.then(Mono.defer(() -> chain.filter(exchange)));
	}

	private void draw(ServerWebExchange exchange, UUID account) {
		boolean send = isSend(exchange.getRequest());
		int burst = send ? this.settings.sendBurst() : this.settings.otherBurst();
		Bucket bucket = this.buckets.get(new Drawer(account, send), (_) -> bucket(send, burst));
		ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
		HttpHeaders headers = exchange.getResponse().getHeaders();
		headers.set("RateLimit-Limit", Integer.toString(burst));
		headers.set("RateLimit-Remaining", Long.toString(probe.getRemainingTokens()));
		headers.set("RateLimit-Reset", Long.toString(seconds(probe.getNanosToWaitForReset())));
		if (!probe.isConsumed()) {
			throw TOO_MANY
				.because("This account makes more requests than it may: " + rate(send) + " a second, and " + burst
						+ " at once after a pause. Wait as long as Retry-After says")
				.retryAfter(Duration.ofNanos(probe.getNanosToWaitForRefill()));
		}
	}

	private Bucket bucket(boolean send, int burst) {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(burst).refillGreedy(rate(send), Duration.ofSeconds(1)))
			.build();
	}

	private int rate(boolean send) {
		return send ? this.settings.sends() : this.settings.others();
	}

	private static boolean isSend(ServerHttpRequest request) {
		return request.getMethod() == HttpMethod.POST
				&& SENDS.contains(request.getPath().pathWithinApplication().value());
	}

	/** Whole seconds, never too few. */
	private static long seconds(long nanos) {
		return (nanos + NANOS - 1) / NANOS;
	}

	/** Who draws, and from which of their two buckets. */
	private record Drawer(UUID account, boolean send) {
	}

}
