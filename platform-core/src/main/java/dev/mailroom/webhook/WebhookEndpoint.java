package dev.mailroom.webhook;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.Event;
import dev.mailroom.event.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Where an account is told of what happened. Its secret is not of it: nobody reads that
 * again.
 *
 * @param events the kinds of events that it is told of
 */
public record WebhookEndpoint(UUID id, UUID accountId, String url, List<String> events, String description,
		boolean active, Instant createdAt) {

	/** That it is tried out: told to nobody but itself. */
	Event test() {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("url", this.url);
		data.put("events", this.events);
		data.put("description", this.description);
		data.put("active", this.active);
		data.put("created_at", this.createdAt);
		return new Event(this.accountId, Kind.WEBHOOK_TEST, null, data);
	}

	/**
	 * What is asked for.
	 *
	 * @param events the kinds of events that it is to be told of
	 */
	public record Asked(@Nullable String url, @Nullable List<@Nullable String> events, @Nullable String description) {
	}

	/** What is asked to be changed; null stays as it is. */
	public record Change(@Nullable Boolean active, @Nullable String url, @Nullable List<@Nullable String> events) {
	}

	/**
	 * An endpoint with a secret that was just made, the only time that it is seen.
	 *
	 * @param secret {@code whsec_} and 32 bytes in base64
	 */
	public record Issued(WebhookEndpoint endpoint, String secret) {

		@Override
		public String toString() {
			return "Issued[endpoint=" + this.endpoint + "]";
		}

	}

}
