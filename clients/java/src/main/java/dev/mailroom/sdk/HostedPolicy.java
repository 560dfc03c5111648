package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The MTA-STS policy of a domain (RFC 8461) that this platform serves.
 *
 * @param mode none if no policy is hosted.
 * @param since When the mode was chosen; null for none.
 * @param records The records to publish; none without a policy.
 * @param state State of the name of the policy, as of tracking domains; null without a
 * policy.
 * @param error Finding of the last check of the name; null if all was well.
 * @param obstacle Why the next mode cannot be chosen now; null if it can, or if there is
 * none.
 */
public record HostedPolicy(String mode, @Nullable Instant since, List<HostedPolicyRecord> records,
		@Nullable String state, @Nullable String error, @Nullable String obstacle) {

	static HostedPolicy of(JsonObject json) {
		return new HostedPolicy(json.text("mode"), json.timeOrNull("since"),
				json.list("records", HostedPolicyRecord::of), json.textOrNull("state"), json.textOrNull("error"),
				json.textOrNull("obstacle"));
	}

}
