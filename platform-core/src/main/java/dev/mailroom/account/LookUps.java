package dev.mailroom.account;

import java.time.Duration;
import java.util.List;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.ClientNetwork;
import dev.mailroom.Refusal;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Look-ups of random credentials in the database, limited by the client's network and
 * site. Only those that find nothing count. Each instance counts its own in memory,
 * because the limit saves reads of the database.
 */
final class LookUps {

	private static final Refusal THROTTLED = Refusal.limited("Rate limit exceeded");

	/** Look-ups of one network that may follow each other at once. */
	static final int BURST = 100;

	/** Time after which a network may do one more. */
	private static final Duration INTERVAL = Duration.ofMillis(100);

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private static final int MAX_NETWORKS = 100_000;

	/** The limits of networks and sites that were used lately. */
	private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
		.expireAfterAccess(INTERVAL.multipliedBy(BURST))
		.maximumSize(MAX_NETWORKS)
		.build();

	/**
	 * Limits a look-up. While a network is at its limit, those that would find something
	 * are refused too.
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded}
	 */
	<T> Mono<T> limit(Mono<T> lookUp) {
		return buckets().flatMap((limits) -> limits.stream().allMatch(Bucket::take)
				? lookUp.doOnNext((_) -> limits.forEach(Bucket::giveBack))
				: Mono.error(THROTTLED
					.because("This network sent too many unknown credentials. Wait as long as Retry-After says")
					.retryAfter(RETRY_AFTER)));
	}

	private Mono<List<Bucket>> buckets() {
		return Flux
			.concat(ClientNetwork.current().map((network) -> new Limit(network, INTERVAL)),
					ClientNetwork.site().map((site) -> new Limit(site, INTERVAL.dividedBy(ClientNetwork.SITE_FACTOR))))
			.filter((limit) -> !limit.network().isEmpty())
			.map((limit) -> this.buckets.get(limit.network(), (_) -> new Bucket(limit.interval().toNanos())))
			.collectList();
	}

	/** Limit of a network or a site. */
	private record Limit(String network, Duration interval) {
	}

	/** Token bucket, as the time at which it was or will be full. */
	private static final class Bucket {

		private final long interval;

		private long full = System.nanoTime();

		Bucket(long interval) {
			this.interval = interval;
		}

		synchronized boolean take() {
			long now = System.nanoTime();
			long next = (this.full - now > 0 ? this.full : now) + this.interval;
			boolean permitted = next - now <= BURST * INTERVAL.toNanos();
			this.full = permitted ? next : this.full;
			return permitted;
		}

		synchronized void giveBack() {
			this.full -= this.interval;
		}

	}

}
