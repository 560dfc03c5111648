package dev.mailroom.sdk;

/**
 * A reputation metrics.
 *
 * @param bounceRate In percent, with two decimals; healthy below 2, risky above 5.
 * @param complaintRate In percent, with three decimals; healthy below 0.05, risky above
 * 0.1.
 */
public record ReputationMetrics(long delivered, long hardBounced, long complained, double bounceRate,
		double complaintRate) {

	static ReputationMetrics of(JsonObject json) {
		return new ReputationMetrics(json.integer("delivered"), json.integer("hardBounced"), json.integer("complained"),
				json.number("bounceRate"), json.number("complaintRate"));
	}

}
