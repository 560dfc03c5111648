package dev.mailroom.spring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.mailroom.sdk.ApiKey;
import dev.mailroom.sdk.Mailroom;
import dev.mailroom.sdk.MailroomException;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the server accepts the key. A result is kept for 30 s, so that probes cost
 * nothing.
 */
final class MailroomHealth implements HealthIndicator {

	private static final Duration KEPT = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final Mailroom mailroom;

	private final Clock clock;

	private Instant until = Instant.MIN;

	private Health last = Health.unknown().build();

	MailroomHealth(Mailroom mailroom, Clock clock) {
		this.mailroom = mailroom.with((options) -> options.withRetries(0).withTimeout(TIMEOUT));
		this.clock = clock;
	}

	@Override
	public synchronized Health health() {
		Instant now = this.clock.instant();
		if (!now.isBefore(this.until)) {
			this.last = look(now);
			this.until = now.plus(KEPT);
		}
		return this.last;
	}

	private Health look(Instant now) {
		try {
			ApiKey key = this.mailroom.key().current().apiKey();
			boolean expired = key.expiresAt() != null && !now.isBefore(key.expiresAt());
			Health.Builder health = (expired ? Health.down() : Health.up()).withDetail("key", key.keyName());
			return ((key.expiresAt() != null) ? health.withDetail("expires", key.expiresAt()) : health).build();
		}
		catch (MailroomException ex) {
			return Health.down()
				.withDetail("error", ex.name())
				.withDetail("message", String.valueOf(ex.getMessage()))
				.build();
		}
	}

}
