package dev.mailroom.inbound;

import java.util.List;
import java.util.UUID;

/**
 * Where a mail goes: a domain that takes mail, with those of the envelope's recipients
 * that are there.
 */
public record Destination(UUID accountId, UUID domainId, List<String> recipients) {

	/** A domain that takes mail. */
	public record Owner(UUID accountId, UUID domainId) {
	}

}
