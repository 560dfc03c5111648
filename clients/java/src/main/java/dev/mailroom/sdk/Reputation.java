package dev.mailroom.sdk;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A reputation.
 *
 * @param from First day of the period.
 * @param to Last day of the period; null for today.
 * @param pausedReason Reason for which the account may not send at present.
 */
public record Reputation(Standing standing, @Nullable String from, @Nullable String to, long sampleSize, long delivered,
		long hardBounced, long complained, Rate bounce, Rate complaint, List<TopCause> topCauses, List<String> advice,
		@Nullable String pausedReason) {

	static Reputation of(JsonObject json) {
		return new Reputation(new Standing(json.text("standing")), json.textOrNull("from"), json.textOrNull("to"),
				json.integer("sample_size"), json.integer("delivered"), json.integer("hard_bounced"),
				json.integer("complained"), Rate.of(json.object("bounce")), Rate.of(json.object("complaint")),
				json.list("top_causes", TopCause::of), json.texts("advice"), json.textOrNull("paused_reason"));
	}

	/**
	 * An entry of <code>topCauses</code>.
	 */
	public record TopCause(String cause, String meaning, long count) {

		static TopCause of(JsonObject json) {
			return new TopCause(json.text("cause"), json.text("meaning"), json.integer("count"));
		}

	}

}
