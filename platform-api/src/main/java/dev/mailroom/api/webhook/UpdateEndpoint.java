package dev.mailroom.api.webhook;

import java.util.List;

import dev.mailroom.webhook.WebhookEndpoint;
import org.jspecify.annotations.Nullable;

/** The body of PUT /webhooks/endpoints/:id. */
record UpdateEndpoint(@Nullable Boolean active, @Nullable String url, @Nullable List<@Nullable String> events,
		@Nullable String headers) {

	WebhookEndpoint.Change change() {
		return new WebhookEndpoint.Change(this.active, this.url, this.events, this.headers);
	}

}
