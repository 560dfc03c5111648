package dev.mailroom.sdk;

/**
 * Operations of <code>key</code>.
 */
public final class Key {

	final Transport transport;

	Key(Transport transport) {
		this.transport = transport;
	}

	/**
	 * Show the API key of the request, its domain and its account.
	 */
	public CurrentApiKey current() {
		return CurrentApiKey
			.of(this.transport.json(new Call("key.current", "GET", "/api-keys/current")).object("data"));
	}

}
