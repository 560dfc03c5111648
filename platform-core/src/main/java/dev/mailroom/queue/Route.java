package dev.mailroom.queue;

import java.util.Locale;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Where a delivery goes and by which way: what must be known to open a session before the
 * fence.
 *
 * @param domain the recipient's, lower-case and ASCII
 * @param transport the way that the sending domain, or else the account, goes by; null
 * where the platform's is meant
 * @param requiresTls whether the sending domain wants no mail of it to go in the clear
 */
public record Route(UUID accountId, String domain, @Nullable String transport, boolean requiresTls) {

	/** Of a lease that is only settled. */
	static final Route UNKNOWN = new Route(new UUID(0, 0), "", null, false);

	/** The route to a recipient. */
	static Route to(String recipient, UUID accountId, @Nullable String transport, boolean requiresTls) {
		return new Route(accountId, recipient.substring(recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT),
				transport, requiresTls);
	}

}
