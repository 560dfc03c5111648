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
 * @param origin where direct mail comes from; null if no pool is chosen for it
 */
public record Route(UUID accountId, String domain, @Nullable TransportKind transport, boolean requiresTls,
		@Nullable Origin origin) {

	/** Route of a lease that is only settled. */
	static final Route UNKNOWN = new Route(new UUID(0, 0), "", null, false);

	/** A route of mail for which no pool is chosen. */
	public Route(UUID accountId, String domain, @Nullable TransportKind transport, boolean requiresTls) {
		this(accountId, domain, transport, requiresTls, null);
	}

	/** The same route from another origin. */
	public Route from(@Nullable Origin origin) {
		return new Route(this.accountId, this.domain, this.transport, this.requiresTls, origin);
	}

	/**
	 * The pool of a mail, and what else decides from which of its addresses it is sent.
	 *
	 * @param pool name of the pool
	 * @param campaign whether the mail is one of a campaign
	 * @param retry whether it was tried before
	 * @param source name of the sending address; null if none was assigned yet, or the
	 * operating system chooses it
	 */
	public record Origin(String pool, boolean campaign, boolean retry, @Nullable String source) {

		/** The same mail from an address. */
		public Origin from(@Nullable String source) {
			return new Origin(this.pool, this.campaign, this.retry, source);
		}

	}

}
