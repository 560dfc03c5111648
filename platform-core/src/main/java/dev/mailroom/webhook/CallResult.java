package dev.mailroom.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Result of one attempt.
 *
 * @param id the id of the delivery
 * @param eventId the id of its event
 * @param status status code of the response; null if there was none
 * @param answer beginning of the response's body; null if there was no response
 * @param error reason of the failure; null if the endpoint accepted the event
 * @param retryAfter time that the endpoint requested before the next attempt; zero for
 * none
 */
public record CallResult(UUID id, UUID eventId, @Nullable Integer status, @Nullable String answer,
		@Nullable String error, Duration retryAfter, Duration took, Instant attemptedAt) {

	/** Status of an endpoint that must not be called again (RFC 9110 section 15.5.11). */
	private static final int GONE = 410;

	/** Whether the endpoint accepted the event. */
	public boolean isAccepted() {
		return this.error == null;
	}

	/** Whether the endpoint does not exist any more. */
	public boolean isGone() {
		return this.status != null && this.status == GONE;
	}

}
