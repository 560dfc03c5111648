package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A tracking domain event data.
 *
 * @param error Finding of the last check.
 */
public record TrackingDomainEventData(String id, String name, String domainId, TrackingDomainState state,
		@Nullable String error, Instant failingSince) {

	static TrackingDomainEventData of(JsonObject json) {
		return new TrackingDomainEventData(json.text("id"), json.text("name"), json.text("domain_id"),
				new TrackingDomainState(json.text("state")), json.textOrNull("error"), json.time("failing_since"));
	}

}
