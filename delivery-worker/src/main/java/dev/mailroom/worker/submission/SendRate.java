package dev.mailroom.worker.submission;

import java.time.Duration;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.quota.SendRates;
import io.github.bucket4j.Bucket;

import org.springframework.stereotype.Component;

/**
 * Limits the mails that an account submits in a second, like the API's rate limit. Each
 * worker counts by itself. A rate that an operator has set takes precedence.
 */
@Component
class SendRate {

	/** Time without mails after which a bucket is full and can be removed. */
	private static final Duration BUCKET_EXPIRY = Duration.ofMinutes(10);

	private final SendRateSettings settings;

	private final SendRates rates;

	private final Cache<Key, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(BUCKET_EXPIRY).build();

	SendRate(SendRateSettings settings, SendRates rates) {
		this.settings = settings;
		this.rates = rates;
	}

	/** Counts a mail of the account; false if it exceeds the limit. */
	boolean tryConsume(UUID account) {
		if (!this.settings.enabled()) {
			return true;
		}
		Key key = new Key(account, this.rates.perSecond(account).orElse(this.settings.sends()));
		return this.buckets.get(key, (_) -> bucket(key.perSecond())).tryConsume(1);
	}

	/** The burst is in the same proportion as in the settings. */
	private Bucket bucket(int perSecond) {
		long burst = (long) perSecond * this.settings.sendBurst() / Math.max(1, this.settings.sends());
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(Math.max(1, burst)).refillGreedy(perSecond, Duration.ofSeconds(1)))
			.build();
	}

	/** An account with the rate in force: another rate has another bucket. */
	private record Key(UUID account, int perSecond) {
	}

}
