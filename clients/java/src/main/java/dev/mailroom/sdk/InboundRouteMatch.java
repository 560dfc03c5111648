package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * An inbound route match.
 *
 * @param routeId The route that applies; null if none matches.
 * @param pattern Its pattern; null if none matches.
 */
public record InboundRouteMatch(String domainId, InboundAction action, InboundSpamRule spam, @Nullable String routeId,
		@Nullable String pattern) {

	static InboundRouteMatch of(JsonObject json) {
		return new InboundRouteMatch(json.text("domain_id"), new InboundAction(json.text("action")),
				new InboundSpamRule(json.text("spam")), json.textOrNull("route_id"), json.textOrNull("pattern"));
	}

}
