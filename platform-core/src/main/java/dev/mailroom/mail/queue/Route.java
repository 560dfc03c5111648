package dev.mailroom.mail.queue;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Destination and transport of a delivery: the properties needed to open a session before
 * the fence.
 *
 * @param domain the recipient's domain, lower-case and ASCII
 * @param transport the transport chosen for the sending domain, or else for the account;
 * null for the platform's
 * @param requiresTls whether mail of the sending domain must not be sent unencrypted
 */
public record Route(UUID accountId, String domain, @Nullable TransportKind transport, boolean requiresTls) {

	/** Route of a lease that is only settled. */
	static final Route UNKNOWN = new Route(new UUID(0, 0), "", null, false);

}
