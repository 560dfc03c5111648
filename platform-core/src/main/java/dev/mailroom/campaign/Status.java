package dev.mailroom.campaign;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a campaign has come. */
public enum Status {

	DRAFT, SCHEDULED, RUNNING, PAUSED, SENT;

	/** Reads the contract's word; empty where it has no such. */
	public static Optional<Status> of(String wire) {
		return Arrays.stream(values()).filter((status) -> status.wire().equals(wire)).findFirst();
	}

	/** The contract's word for it. */
	public String wire() {
		return name().toLowerCase(Locale.ROOT);
	}

}
