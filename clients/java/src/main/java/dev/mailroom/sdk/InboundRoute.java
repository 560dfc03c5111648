package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

/**
 * An inbound route.
 *
 * @param position Routes apply in this order.
 * @param pattern The part of an address before the at sign, or its beginning and
 * <code>*</code>. <code>*</code> alone matches all. Case does not matter.
 * @param forwardTo Addresses to which it is forwarded; empty for other actions.
 * @param active Whether the route applies.
 */
public record InboundRoute(String id, String domainId, long position, String pattern, InboundSpamRule spam,
		InboundAction action, List<String> forwardTo, ForwardMode forwardMode, boolean active, Instant createdAt) {

	static InboundRoute of(JsonObject json) {
		return new InboundRoute(json.text("id"), json.text("domain_id"), json.integer("position"), json.text("pattern"),
				new InboundSpamRule(json.text("spam")), new InboundAction(json.text("action")),
				json.texts("forward_to"), new ForwardMode(json.text("forward_mode")), json.bool("active"),
				json.time("created_at"));
	}

}
