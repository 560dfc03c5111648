package dev.mailroom.account;

/** API keys of the right form that do not exist. */
public final class UnknownKey {

	private UnknownKey() {
	}

	/** Another key. */
	public static String next() {
		return KeyText.random("").text();
	}

}
