package dev.mailroom.sdk;

/**
 * Parameters of <code>analytics.reputation</code>.
 */
public final class AnalyticsReputationQuery extends Fields {

	/**
	 * Sets the field <code>domainId</code>: Only mail of this domain. Also accepted as
	 * <code>domain_id</code>.
	 */
	public AnalyticsReputationQuery domainId(String domainId) {
		set("domainId", domainId);
		return this;
	}

	/**
	 * Sets the field <code>from</code>: First day, as a date or a time with an offset.
	 * Days are in UTC.
	 */
	public AnalyticsReputationQuery from(String from) {
		set("from", from);
		return this;
	}

	/**
	 * Sets the field <code>to</code>: Last day.
	 */
	public AnalyticsReputationQuery to(String to) {
		set("to", to);
		return this;
	}

}
