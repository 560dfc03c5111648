package dev.mailroom.campaign;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** State of a campaign. */
public enum CampaignStatus {

	DRAFT, SCHEDULED, RUNNING, PAUSED, SENT;

	/** Parses the contract's name of a state; empty for any other text. */
	public static Optional<CampaignStatus> of(String contractName) {
		return Arrays.stream(values()).filter((status) -> status.contractName().equals(contractName)).findFirst();
	}

	/** The contract's name of the state, in lower case. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
