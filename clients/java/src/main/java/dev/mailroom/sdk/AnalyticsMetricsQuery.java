package dev.mailroom.sdk;

/**
 * Parameters of <code>analytics.metrics</code>.
 */
public final class AnalyticsMetricsQuery extends Fields {

	/**
	 * Sets the field <code>domainId</code>: Only mail of this domain. Also accepted as
	 * <code>domain_id</code>.
	 */
	public AnalyticsMetricsQuery domainId(String domainId) {
		set("domainId", domainId);
		return this;
	}

	/**
	 * Sets the field <code>from</code>: First day, as a date or a time with an offset.
	 * Days are in UTC.
	 */
	public AnalyticsMetricsQuery from(String from) {
		set("from", from);
		return this;
	}

	/**
	 * Sets the field <code>to</code>: Last day.
	 */
	public AnalyticsMetricsQuery to(String to) {
		set("to", to);
		return this;
	}

}
