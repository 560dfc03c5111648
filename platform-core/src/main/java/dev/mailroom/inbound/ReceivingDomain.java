package dev.mailroom.inbound;

import java.util.List;
import java.util.UUID;

/**
 * A domain that receives a mail, with the envelope's recipients in it.
 */
public record ReceivingDomain(UUID accountId, UUID domainId, List<String> recipients) {

	/** A domain that receives mail, with its account. */
	public record Owner(UUID accountId, UUID domainId) {
	}

}
