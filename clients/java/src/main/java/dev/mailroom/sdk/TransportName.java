package dev.mailroom.sdk;

/**
 * Transport for mail from this domain. <code>default</code> is that of the account if it
 * has one, otherwise that of the platform. The API may add values.
 *
 * @param value the text in the API
 */
public record TransportName(String value) {

	/** {@code default}. */
	public static final TransportName DEFAULT = new TransportName("default");

	/** {@code relay}. */
	public static final TransportName RELAY = new TransportName("relay");

	/** {@code mx}. */
	public static final TransportName MX = new TransportName("mx");

	@Override
	public String toString() {
		return this.value;
	}

}
