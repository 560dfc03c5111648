package dev.mailroom.sdk;

/**
 * Parameters of <code>domains.dmarc</code>.
 */
public final class DomainsDmarcQuery extends Fields {

	/**
	 * Sets the field <code>from</code>: First day, as a date or a time with an offset; at
	 * most 400 days before <code>to</code>. Days are in UTC.
	 */
	public DomainsDmarcQuery from(String from) {
		set("from", from);
		return this;
	}

	/**
	 * Sets the field <code>to</code>: Last day.
	 */
	public DomainsDmarcQuery to(String to) {
		set("to", to);
		return this;
	}

}
