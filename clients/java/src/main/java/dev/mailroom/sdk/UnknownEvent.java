package dev.mailroom.sdk;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An event of a kind that this library does not know.
 *
 * @param kind the kind as sent
 * @param json the body of the call
 */
public record UnknownEvent(String id, String apiVersion, Instant createdAt, String kind,
		Map<String, @Nullable Object> json) implements WebhookEvent {
}
