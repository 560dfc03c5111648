package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A readiness check.
 *
 * @param finding Record or value that the check found.
 * @param fix Next step; null if nothing needs to be done.
 */
public record ReadinessCheck(String rule, String result, String finding, @Nullable String fix) {

	static ReadinessCheck of(JsonObject json) {
		return new ReadinessCheck(json.text("rule"), json.text("result"), json.text("finding"), json.textOrNull("fix"));
	}

}
