package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.worker.smtp.client.MailServers.Undeliverable;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import org.jspecify.annotations.Nullable;

/**
 * Rate limit and circuit breaker of one account's mail to one site, or to a domain
 * without profiles. A server that refuses one account's mail for reasons of security or
 * policy still gets the mail of the others.
 */
final class AccountState {

	private static final Duration PERIOD = Duration.ofSeconds(1);

	private static final Duration PAUSE = Duration.ofMinutes(5);

	/** Temporary refusals for reasons of security or policy (RFC 3463 section 3.8). */
	private static final Pattern REFUSED_BY_POLICY = Pattern.compile("^4\\d\\d[ -]4\\.7\\..*", Pattern.DOTALL);

	private final RateLimiter rate;

	private final DestinationBreaker breaker;

	private volatile Instant pausedUntil = Instant.EPOCH;

	AccountState(MxSettings settings) {
		this.rate = RateLimiter.of("mx",
				RateLimiterConfig.custom()
					.limitForPeriod(settings.rate())
					.limitRefreshPeriod(PERIOD)
					.timeoutDuration(Duration.ZERO)
					.build());
		this.breaker = new DestinationBreaker("mx account", settings.breakFor(), Undeliverable.class::isInstance);
	}

	/** Counts a mail; false if it exceeds the rate limit. */
	boolean admits() {
		return this.rate.acquirePermission();
	}

	DestinationBreaker breaker() {
		return this.breaker;
	}

	/** Begins a pause; null for the usual one. */
	void pause(Instant now, @Nullable Duration duration) {
		this.pausedUntil = now.plus((duration != null) ? duration : PAUSE);
	}

	/** Whether nothing may be sent now. */
	boolean isBlocked(Instant now) {
		return now.isBefore(this.pausedUntil) || this.breaker.isOpen();
	}

	/** Time for which nothing is sent. */
	Optional<Duration> blockedFor(Instant now) {
		return now.isBefore(this.pausedUntil) ? Optional.of(Duration.between(now, this.pausedUntil))
				: this.breaker.closedFor();
	}

	/** Records an outcome. Only a refusal for such a reason counts as a failure. */
	void completed(Outcome outcome) {
		if (outcome instanceof Outcome.Deferred deferred
				&& (REFUSED_BY_POLICY.matcher(deferred.reply()).matches() || Bounce.isBlock(deferred.reply()))
				&& !SiteState.isOverloaded(outcome)) {
			this.breaker.failed(new IOException(deferred.reply()));
		}
		else {
			this.breaker.succeeded();
		}
	}

}
