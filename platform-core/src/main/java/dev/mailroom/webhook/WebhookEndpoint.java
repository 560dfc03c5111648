package dev.mailroom.webhook;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * A webhook endpoint of an account, without its secret.
 *
 * @param events the contract's names of the kinds of events that are sent to it
 * @param disabledReason the reason why the platform switched it off; null if it did not
 * @param failingSince the time of the first of the latest failed calls; null if the last
 * call succeeded
 * @param svixHeaders whether calls also have the headers of Svix
 */
public record WebhookEndpoint(UUID id, UUID accountId, String url, List<String> events, String description,
		boolean active, Instant createdAt, @Nullable String disabledReason, @Nullable Instant failingSince,
		boolean svixHeaders) implements Page.Item {

	/** A new endpoint. */
	WebhookEndpoint(UUID id, UUID accountId, String url, List<String> events, String description, Instant createdAt,
			boolean svixHeaders) {
		this(id, accountId, url, events, description, true, createdAt, null, null, svixHeaders);
	}

	/** The event that tests this endpoint; it is sent to no other. */
	Event testEvent() {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("url", this.url);
		data.put("events", this.events);
		data.put("description", this.description);
		data.put("active", this.active);
		data.put("created_at", this.createdAt);
		return new Event(this.accountId, EventKind.WEBHOOK_TEST, null, data);
	}

	/**
	 * A requested endpoint before validation.
	 *
	 * @param headers standard or svix; null for standard
	 */
	public record Form(@Nullable String url, @Nullable List<@Nullable String> events, @Nullable String description,
			@Nullable String headers) {

		public Form(@Nullable String url, @Nullable List<@Nullable String> events, @Nullable String description) {
			this(url, events, description, null);
		}

	}

	/** Requested changes of an endpoint; null leaves a value unchanged. */
	public record Change(@Nullable Boolean active, @Nullable String url, @Nullable List<@Nullable String> events,
			@Nullable String headers) {

		public Change(@Nullable Boolean active, @Nullable String url, @Nullable List<@Nullable String> events) {
			this(active, url, events, null);
		}

	}

	/**
	 * An endpoint with a new secret. The secret is shown only here.
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
