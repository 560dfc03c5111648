package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A name of the account for the links in mails of a domain.
 *
 * @param error Finding of the last check; null if all was well.
 * @param used Whether new mails of the domain have the name. It is the oldest that works.
 * @param failingSince Since when an active name fails. After an hour new mails have the
 * name of the platform again.
 */
public record TrackingDomain(String id, String name, String domainId, TrackingDomainState state,
		TrackingDomainRecord record, @Nullable String error, boolean used, Instant createdAt,
		@Nullable Instant checkedAt, @Nullable Instant failingSince) {

	static TrackingDomain of(JsonObject json) {
		return new TrackingDomain(json.text("id"), json.text("name"), json.text("domain_id"),
				new TrackingDomainState(json.text("state")), TrackingDomainRecord.of(json.object("record")),
				json.textOrNull("error"), json.bool("used"), json.time("created_at"), json.timeOrNull("checked_at"),
				json.timeOrNull("failing_since"));
	}

}
