package dev.mailroom.sdk;

/**
 * A rate.
 *
 * @param rate In percent.
 */
public record Rate(double rate, Standing standing, double healthyBelow, double riskyAbove) {

	static Rate of(JsonObject json) {
		return new Rate(json.number("rate"), new Standing(json.text("standing")), json.number("healthy_below"),
				json.number("risky_above"));
	}

}
