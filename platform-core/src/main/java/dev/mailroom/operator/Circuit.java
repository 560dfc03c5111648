package dev.mailroom.operator;

import java.util.Locale;

/** State of the circuit breaker of a destination, in the order of severity. */
public enum Circuit {

	/** Sessions may be opened. */
	CLOSED,
	/** A few trials are admitted after the breaker was open. */
	HALF_OPEN,
	/** The destination failed repeatedly and is not contacted for a while. */
	OPEN;

	/** The name in the database. */
	String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
