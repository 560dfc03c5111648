package dev.mailroom.sdk;

/**
 * The record to publish.
 */
public record TrackingDomainRecord(String type, String host, String value) {

	static TrackingDomainRecord of(JsonObject json) {
		return new TrackingDomainRecord(json.text("type"), json.text("host"), json.text("value"));
	}

}
