package dev.mailroom.system.faults;

/** Transport of the mail of a run. */
enum SendMode {

	/** Through one relay. */
	RELAY("null"),
	/** Directly to the servers of the domains, one of them Postfix's if installed. */
	DIRECT("'mx'");

	private final String choice;

	SendMode(String choice) {
		this.choice = choice;
	}

	/** The SQL literal for the domain's transport. */
	String choice() {
		return this.choice;
	}

}
