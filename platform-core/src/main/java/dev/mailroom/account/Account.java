package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An account, the owner of domains, API keys and mails.
 *
 * @param email address of its owner; empty if an outside issuer verified none
 * @param name display name of its owner; may be empty
 * @param emailVerified whether the owner has shown that they receive mail at the address
 * @param plan name of its plan
 * @param role {@code tenant}, {@code operator}, {@code platform}, or {@code member} for a
 * person who signs in to another account
 * @param pausedReason reason why sending is paused; null if it is not
 * @param timeZone time zone (IANA) of the times that the web app shows
 */
public record Account(UUID id, String email, String name, boolean emailVerified, String plan, String role,
		@Nullable String pausedReason, Instant createdAt, String timeZone) {

	/** Id of the account that sends Mailroom's own mail. It has no password. */
	public static final UUID PLATFORM = UUID.fromString("00000000-0000-7000-8000-000000000001");

	/** The row of a person, with the plan of the account that the person uses. */
	public Account withPlan(String other) {
		return new Account(this.id, this.email, this.name, this.emailVerified, other, this.role, this.pausedReason,
				this.createdAt, this.timeZone);
	}

	/** Whether it may use the operators' part of the admin app. */
	public boolean operator() {
		return this.role.equals("operator");
	}
}
