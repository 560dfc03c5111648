package dev.mailroom.worker.submission;

import java.time.Duration;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;

import org.springframework.stereotype.Component;

/**
 * Limits the mails that an account submits in a second, like the API's rate limit. Each
 * worker counts by itself.
 */
@Component
class SendRate {

	/** Time without mails after which a bucket is full and can be removed. */
	private static final Duration BUCKET_EXPIRY = Duration.ofMinutes(10);

	private final SendRateSettings settings;

	private final Cache<UUID, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(BUCKET_EXPIRY).build();

	SendRate(SendRateSettings settings) {
		this.settings = settings;
	}

	/** Counts a mail of the account; false if it exceeds the limit. */
	boolean tryConsume(UUID account) {
		return !this.settings.enabled() || this.buckets.get(account, (_) -> bucket()).tryConsume(1);
	}

	private Bucket bucket() {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(this.settings.sendBurst())
				.refillGreedy(this.settings.sends(), Duration.ofSeconds(1)))
			.build();
	}

}
