package dev.mailroom.api.webhook;

import java.util.List;

import dev.mailroom.webhook.WebhookEndpoint;
import org.jspecify.annotations.Nullable;

/** The body of POST /webhooks/endpoints. */
record CreateEndpoint(@Nullable String url, @Nullable List<@Nullable String> events, @Nullable String description,
		@Nullable String headers) {

	WebhookEndpoint.Form form() {
		return new WebhookEndpoint.Form(this.url, this.events, this.description, this.headers);
	}

}
