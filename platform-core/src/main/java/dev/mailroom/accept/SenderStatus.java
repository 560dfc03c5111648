package dev.mailroom.accept;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Whether an account may send over a domain, as the database has it now.
 *
 * @param verified whether the account's own address is
 * @param pausedReason why the account may not send at present
 * @param domain the domain's name; null where it is gone or another's
 * @param lost what DNS lacks of a domain that failed
 * @param openTracking what the domain says where a mail does not; null with the domain
 * @param clickTracking likewise
 */
record SenderStatus(UUID accountId, UUID domainId, boolean verified, @Nullable String pausedReason,
		@Nullable String domain, @Nullable String status, @Nullable String lost, @Nullable Boolean openTracking,
		@Nullable Boolean clickTracking) {

	/** A domain whose records cannot be looked up just now is still verified. */
	boolean mayUseDomain() {
		return "verified".equals(this.status) || "temporary_failure".equals(this.status);
	}

	/** Who asks over what. */
	record Key(UUID accountId, UUID domainId) {
	}

	Key key() {
		return new Key(this.accountId, this.domainId);
	}

}
