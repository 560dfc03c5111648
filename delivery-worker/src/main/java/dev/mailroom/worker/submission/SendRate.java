package dev.mailroom.worker.submission;

import java.time.Duration;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;

import org.springframework.stereotype.Component;

/**
 * Lets each account submit so many mails in a second, as many as it may post to one
 * instance of the API. Each worker counts for itself.
 */
@Component
class SendRate {

	/** A bucket that nobody has drawn from for so long is full again. */
	private static final Duration FULL_AGAIN = Duration.ofMinutes(10);

	private final SendRateSettings settings;

	private final Cache<UUID, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(FULL_AGAIN).build();

	SendRate(SendRateSettings settings) {
		this.settings = settings;
	}

	/** Whether the account may submit one more mail now; that counts as the mail. */
	boolean allows(UUID account) {
		return !this.settings.enabled() || this.buckets.get(account, (_) -> bucket()).tryConsume(1);
	}

	private Bucket bucket() {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(this.settings.sendBurst())
				.refillGreedy(this.settings.sends(), Duration.ofSeconds(1)))
			.build();
	}

}
