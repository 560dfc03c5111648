package dev.mailroom.mail.accept;

import java.util.Locale;
import java.util.UUID;

/**
 * Identifies an entry of a suppression list: an account and a recipient's address.
 *
 * @param address in lower case
 */
public record SuppressionKey(UUID accountId, String address) {

	public SuppressionKey {
		if (!address.equals(address.toLowerCase(Locale.ROOT))) {
			throw new IllegalArgumentException("A suppressed address is in lower case");
		}
	}

}
