package dev.mailroom.mail.outcome;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Reasons for which an address is suppressed. */
public enum SuppressionReason {

	HARD_BOUNCE, COMPLAINT, UNSUBSCRIBE, MANUAL;

	/** Parses the contract's name of a reason; empty for any other text. */
	static Optional<SuppressionReason> of(String wire) {
		return Arrays.stream(values()).filter((reason) -> reason.contractName().equals(wire)).findFirst();
	}

	/** The contract's name of the reason, in lower case. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
