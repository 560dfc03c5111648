package dev.mailroom.sdk;

/**
 * Absent fields stay unchanged.
 */
public final class DomainChange extends Fields {

	/**
	 * Sets the field <code>open_tracking</code>.
	 */
	public DomainChange openTracking(boolean openTracking) {
		set("open_tracking", openTracking);
		return this;
	}

	/**
	 * Sets the field <code>click_tracking</code>.
	 */
	public DomainChange clickTracking(boolean clickTracking) {
		set("click_tracking", clickTracking);
		return this;
	}

	/**
	 * Sets the field <code>transport</code>.
	 */
	public DomainChange transport(TransportName transport) {
		set("transport", transport);
		return this;
	}

	/**
	 * Sets the field <code>require_tls</code>: Whether mail from this domain is sent over
	 * TLS only. Without TLS it is deferred, and fails when it expires.
	 */
	public DomainChange requireTls(boolean requireTls) {
		set("require_tls", requireTls);
		return this;
	}

}
