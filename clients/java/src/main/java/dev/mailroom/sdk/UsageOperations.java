package dev.mailroom.sdk;

/**
 * Operations of <code>usage</code>.
 */
public final class UsageOperations {

	final Transport transport;

	UsageOperations(Transport transport) {
		this.transport = transport;
	}

	/**
	 * Show the use of the plan. Permission: usage.read.
	 */
	public Usage get() {
		return Usage.of(this.transport.json(new Call("usage.get", "GET", "/usage")).object("data").object("usage"));
	}

}
