package dev.mailroom.system.faults;

/** By which way mail leaves. */
enum Way {

	/** All of it through one server. */
	RELAY("null"),
	/**
	 * Straight to each recipient's own, of which one is Postfix's where it is installed.
	 */
	DIRECT("'mx'");

	private final String choice;

	Way(String choice) {
		this.choice = choice;
	}

	/** As a domain's row has it. */
	String choice() {
		return this.choice;
	}

}
