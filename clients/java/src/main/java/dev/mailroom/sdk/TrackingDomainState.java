package dev.mailroom.sdk;

/**
 * pending: DNS does not lead to the platform yet; dns_ok: DNS does, and HTTPS does not
 * yet; active: both do; failing: was active, and one of them no longer does. The API may
 * add values.
 *
 * @param value the text in the API
 */
public record TrackingDomainState(String value) {

	/** {@code pending}. */
	public static final TrackingDomainState PENDING = new TrackingDomainState("pending");

	/** {@code dns_ok}. */
	public static final TrackingDomainState DNS_OK = new TrackingDomainState("dns_ok");

	/** {@code active}. */
	public static final TrackingDomainState ACTIVE = new TrackingDomainState("active");

	/** {@code failing}. */
	public static final TrackingDomainState FAILING = new TrackingDomainState("failing");

	@Override
	public String toString() {
		return this.value;
	}

}
