package dev.mailroom.admin.graphql;

import java.time.Duration;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refusal;
import dev.mailroom.mail.accept.SendRates;
import dev.mailroom.mail.accept.SendRates.Limit;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

/**
 * Limits the requests of each account in a second, by their cost. Mails to send have a
 * limit of their own. Each instance counts its own requests, as the REST API does.
 */
@Component
public class AccountRates {

	private static final Refusal TOO_MANY = Refusal.limited("Rate limit exceeded");

	/** Cost that counts as one more request. */
	private static final int COST_OF_REQUEST = 200;

	/** Time without requests after which a bucket is full and can be removed. */
	private static final Duration BUCKET_EXPIRY = Duration.ofMinutes(10);

	private final RateSettings settings;

	private final SendRates rates;

	private final MeterRegistry registry;

	private final Cache<BucketKey, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(BUCKET_EXPIRY).build();

	AccountRates(RateSettings settings, SendRates rates, MeterRegistry registry) {
		this.settings = settings;
		this.rates = rates;
		this.registry = registry;
	}

	/**
	 * Counts a request.
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded}
	 */
	public void consume(UUID account, DocumentCost.Total cost) {
		if (!this.settings.enabled()) {
			return;
		}
		Limit others = new Limit(this.settings.others(), this.settings.otherBurst());
		consume(account, false, others, Math.min(1 + cost.objects() / COST_OF_REQUEST, others.burst()));
		if (cost.sends() > 0) {
			Limit sends = new Limit(this.settings.sends(), this.settings.sendBurst());
			consume(account, true, this.rates.limit(account, sends), cost.sends());
		}
	}

	private void consume(UUID account, boolean send, Limit limit, long tokens) {
		Bucket bucket = this.buckets.get(new BucketKey(account, send, limit), (_) -> bucket(limit));
		ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(tokens);
		if (!probe.isConsumed()) {
			this.registry.counter("mailroom.rate.limited", "kind", send ? "send" : "other").increment();
			throw TOO_MANY
				.because("This account makes more requests than it may: " + limit.perSecond() + " a second, and "
						+ limit.burst() + " at once after a pause. Wait as long as retryAfter says")
				.retryAfter(Duration.ofNanos(Math.min(probe.getNanosToWaitForRefill(),
						Duration.ofSeconds(limit.burst()).toNanos() / limit.perSecond())));
		}
	}

	private static Bucket bucket(Limit limit) {
		return Bucket.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(limit.burst())
				.refillGreedy(limit.perSecond(), Duration.ofSeconds(1)))
			.build();
	}

	/**
	 * Key of a bucket.
	 *
	 * @param send whether it counts mails to send, or requests
	 * @param limit the limit in force: another one has another bucket
	 */
	private record BucketKey(UUID account, boolean send, Limit limit) {
	}

}
