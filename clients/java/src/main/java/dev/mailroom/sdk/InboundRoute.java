package dev.mailroom.sdk;

import java.time.Instant;

/**
 * An inbound route.
 *
 * @param position Routes apply in this order.
 * @param pattern The part of an address before the at sign, or its beginning and
 * <code>*</code>. <code>*</code> alone matches all. Case does not matter.
 * @param active Whether the route applies.
 */
public record InboundRoute(String id, String domainId, long position, String pattern, InboundSpamRule spam,
		InboundAction action, boolean active, Instant createdAt) {

	static InboundRoute of(JsonObject json) {
		return new InboundRoute(json.text("id"), json.text("domain_id"), json.integer("position"), json.text("pattern"),
				new InboundSpamRule(json.text("spam")), new InboundAction(json.text("action")), json.bool("active"),
				json.time("created_at"));
	}

}
