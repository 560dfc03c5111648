package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A forward target.
 *
 * @param confirmed Whether mail is forwarded to it: its owner has confirmed, or it is at
 * a verified domain of the account.
 * @param confirmedAt When its owner confirmed.
 */
public record ForwardTarget(String id, String address, boolean confirmed, @Nullable Instant confirmedAt,
		Instant createdAt) {

	static ForwardTarget of(JsonObject json) {
		return new ForwardTarget(json.text("id"), json.text("address"), json.bool("confirmed"),
				json.timeOrNull("confirmed_at"), json.time("created_at"));
	}

}
