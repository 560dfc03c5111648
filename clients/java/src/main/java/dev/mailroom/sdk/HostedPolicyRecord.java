package dev.mailroom.sdk;

/**
 * A DNS record of a hosted policy.
 */
public record HostedPolicyRecord(String type, String host, String value) {

	static HostedPolicyRecord of(JsonObject json) {
		return new HostedPolicyRecord(json.text("type"), json.text("host"), json.text("value"));
	}

}
