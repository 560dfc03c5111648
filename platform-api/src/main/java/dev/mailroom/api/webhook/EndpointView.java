package dev.mailroom.api.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mailroom.webhook.WebhookEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * A webhook endpoint in responses, without its secret.
 *
 * @param headers svix; absent if calls have the standard headers only
 */
record EndpointView(UUID id, String url, List<String> events, boolean active, String description, Instant createdAt,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String headers) {

	static EndpointView of(WebhookEndpoint endpoint) {
		return new EndpointView(endpoint.id(), endpoint.url(), endpoint.events(), endpoint.active(),
				endpoint.description(), endpoint.createdAt(), svix(endpoint));
	}

	private static @Nullable String svix(WebhookEndpoint endpoint) {
		return endpoint.svixHeaders() ? "svix" : null;
	}

	/**
	 * An endpoint in the response of GET /webhooks/endpoints/:id.
	 *
	 * @param disabledReason null unless the platform switched the endpoint off
	 * @param failingSince null if the last call succeeded
	 */
	record Detail(UUID id, String url, List<String> events, boolean active, String description, Instant createdAt,
			@Nullable String disabledReason, @Nullable Instant failingSince,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String headers) {

		static Detail of(WebhookEndpoint endpoint) {
			return new Detail(endpoint.id(), endpoint.url(), endpoint.events(), endpoint.active(),
					endpoint.description(), endpoint.createdAt(), endpoint.disabledReason(), endpoint.failingSince(),
					svix(endpoint));
		}

	}

	/** An endpoint with a new secret, which is shown only once. */
	record Issued(UUID id, String url, List<String> events, boolean active, String description, Instant createdAt,
			String secret, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String headers) {

		static Issued of(WebhookEndpoint.Issued issued) {
			WebhookEndpoint endpoint = issued.endpoint();
			return new Issued(endpoint.id(), endpoint.url(), endpoint.events(), endpoint.active(),
					endpoint.description(), endpoint.createdAt(), issued.secret(), svix(endpoint));
		}

	}

	/** An endpoint in the response of PUT, with the fields that can be changed. */
	record Changed(UUID id, String url, List<String> events, boolean active,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String headers) {

		static Changed of(WebhookEndpoint endpoint) {
			return new Changed(endpoint.id(), endpoint.url(), endpoint.events(), endpoint.active(), svix(endpoint));
		}

	}

}
