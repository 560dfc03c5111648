package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.mailroom.mail.outcome.Outcome;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;

/**
 * Rate limit and circuit breaker of one account's mail to one destination. A server that
 * refuses one account's mail for reasons of security or policy still gets the mail of the
 * others.
 */
final class AccountState {

	private static final Duration PERIOD = Duration.ofSeconds(1);

	/** Temporary refusals for reasons of security or policy (RFC 3463 section 3.8). */
	private static final Pattern REFUSED_BY_POLICY = Pattern.compile("^4\\d\\d[ -]4\\.7\\..*", Pattern.DOTALL);

	private final RateLimiter rate;

	private final DestinationBreaker breaker;

	AccountState(MxSettings settings) {
		this.rate = RateLimiter.of("mx",
				RateLimiterConfig.custom()
					.limitForPeriod(settings.rate())
					.limitRefreshPeriod(PERIOD)
					.timeoutDuration(Duration.ZERO)
					.build());
		this.breaker = new DestinationBreaker("mx account", settings.breakFor(), Undeliverable.class);
	}

	/** Counts a mail; false if it exceeds the rate limit. */
	boolean admits() {
		return this.rate.acquirePermission();
	}

	DestinationBreaker breaker() {
		return this.breaker;
	}

	/** Time for which no mail may be sent; empty if one may be sent now. */
	Optional<Duration> closedFor() {
		return this.breaker.closedFor()
			.or(() -> (this.rate.getMetrics().getAvailablePermissions() > 0) ? Optional.empty() : Optional.of(PERIOD));
	}

	/** Records an outcome. Only a refusal for such a reason counts as a failure. */
	void completed(Outcome outcome) {
		if (outcome instanceof Outcome.Deferred deferred && REFUSED_BY_POLICY.matcher(deferred.reply()).matches()
				&& !DestinationState.isOverloaded(outcome)) {
			this.breaker.failed(new IOException(deferred.reply()));
		}
		else {
			this.breaker.succeeded();
		}
	}

}
