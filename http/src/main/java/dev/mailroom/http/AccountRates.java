package dev.mailroom.http;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.mail.accept.SendRates;
import dev.mailroom.mail.accept.SendRates.Limit;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Limits the requests of each account in a second; requests to send have a limit of their
 * own. Each instance counts its own requests, because a shared counter would cost each
 * request a round trip.
 */
@Component
public class AccountRates {

	private static final Refusal TOO_MANY = Refusal.limited("Rate limit exceeded");

	/** Time without requests after which a bucket is full and can be removed. */
	private static final Duration BUCKET_EXPIRY = Duration.ofMinutes(10);

	private final Cache<BucketKey, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(BUCKET_EXPIRY).build();

	private final RateSettings settings;

	private final SendRates rates;

	private final MeterRegistry registry;

	AccountRates(RateSettings settings, SendRates rates, MeterRegistry registry) {
		this.settings = settings;
		this.rates = rates;
		this.registry = registry;
	}

	/**
	 * Counts requests of an account.
	 * @param send whether they are requests to send
	 * @param requests their number; an expensive one counts as several, at most as the
	 * whole burst unless it sends
	 * @return the state of the limit; empty if rates are not limited
	 */
	public Optional<Rate> consume(UUID account, boolean send, long requests) {
		if (!this.settings.enabled()) {
			return Optional.empty();
		}
		Limit limit = send ? this.rates.limit(account, new Limit(this.settings.sends(), this.settings.sendBurst()))
				: new Limit(this.settings.others(), this.settings.otherBurst());
		Bucket bucket = this.buckets.get(new BucketKey(account, send, limit), (_) -> bucket(limit));
		ConsumptionProbe probe = bucket
			.tryConsumeAndReturnRemaining(send ? requests : Math.min(requests, limit.burst()));
		if (!probe.isConsumed()) {
			this.registry.counter("mailroom.rate.limited", "kind", send ? "send" : "other").increment();
		}
		return Optional.of(new Rate(limit.burst(), limit.perSecond(), probe.getRemainingTokens(),
				Duration.ofNanos(probe.getNanosToWaitForReset()), probe.isConsumed() ? null : refused(limit, probe)));
	}

	private static Refused refused(Limit limit, ConsumptionProbe probe) {
		return TOO_MANY
			.because("This account makes more requests than it may: " + limit.perSecond() + " a second, and "
					+ limit.burst() + " at once after a pause. Wait as long as Retry-After or retryAfter says")
			.retryAfter(Duration.ofNanos(Math.min(probe.getNanosToWaitForRefill(),
					Duration.ofSeconds(limit.burst()).toNanos() / limit.perSecond())));
	}

	private static Bucket bucket(Limit limit) {
		return Bucket.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(limit.burst())
				.refillGreedy(limit.perSecond(), Duration.ofSeconds(1)))
			.build();
	}

	/**
	 * State of a limit after a request.
	 *
	 * @param burst requests that may follow each other at once after a pause
	 * @param perSecond requests that are permitted again in a second
	 * @param remaining requests that may follow at once now
	 * @param reset time after which a whole burst may follow
	 * @param refused the refusal of the request; null if it is permitted
	 */
	public record Rate(int burst, int perSecond, long remaining, Duration reset, @Nullable Refused refused) {

		/**
		 * Requires that the request is permitted.
		 * @throws Refused {@code Rate limit exceeded}
		 */
		public void require() {
			if (this.refused != null) {
				throw this.refused;
			}
		}

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
