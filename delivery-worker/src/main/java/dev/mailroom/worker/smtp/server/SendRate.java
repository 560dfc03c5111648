package dev.mailroom.worker.smtp.server;

import java.time.Duration;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Allowed;
import dev.mailroom.mail.accept.SendRates;
import dev.mailroom.mail.accept.SendRates.Limit;
import io.github.bucket4j.Bucket;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Limits the mails that an account submits in a second, like the API's rate limit. Each
 * worker counts its own mails. A rate that an operator has set takes precedence.
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
		Limit usual = new Limit(this.settings.sends(), this.settings.sendBurst());
		return this.buckets.get(new Key(account, this.rates.limit(account, usual)), (key) -> bucket(key.limit()))
			.tryConsume(1);
	}

	private static Bucket bucket(Limit limit) {
		return Bucket.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(limit.burst())
				.refillGreedy(limit.perSecond(), Duration.ofSeconds(1)))
			.build();
	}

	/** An account with the limit in force: another limit has another bucket. */
	private record Key(UUID account, Limit limit) {
	}

	/**
	 * Limits for the mails that one account submits to one worker.
	 *
	 * @param enabled false for benchmarks and load tests
	 * @param sends mails per second
	 * @param sendBurst mails that may follow each other at once
	 */
	@ConfigurationProperties("mailroom.rate-limit")
	record SendRateSettings(@DefaultValue("true") boolean enabled,
			@DefaultValue("20") @Allowed(from = "1", to = "1000000") int sends,
			@DefaultValue("100") @Allowed(from = "1", to = "1000000") int sendBurst) {
	}

}
