package dev.mailroom.sdk;

/**
 * Parameters of <code>domains.tlsReports</code>.
 */
public final class DomainsTlsReportsQuery extends Fields {

	/**
	 * Sets the field <code>from</code>: First day, as a date or a time with an offset; at
	 * most 400 days before <code>to</code>. Days are in UTC.
	 */
	public DomainsTlsReportsQuery from(String from) {
		set("from", from);
		return this;
	}

	/**
	 * Sets the field <code>to</code>: Last day.
	 */
	public DomainsTlsReportsQuery to(String to) {
		set("to", to);
		return this;
	}

}
