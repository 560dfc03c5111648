package dev.mailroom.sdk;

import java.util.List;

/**
 * An inbound route order.
 */
public final class InboundRouteOrder extends Fields {

	/**
	 * Sets the field <code>domain_id</code>.
	 */
	public InboundRouteOrder domainId(String domainId) {
		set("domain_id", domainId);
		return this;
	}

	/**
	 * Sets the field <code>ids</code>: All routes of the domain, each once.
	 */
	public InboundRouteOrder ids(List<String> ids) {
		set("ids", ids);
		return this;
	}

}
