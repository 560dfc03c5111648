package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An owner of domains, keys and mails.
 *
 * @param id who it is in every query
 * @param email where its owner is reached; empty where an outside issuer vouched for none
 * @param name what its owner wants to be called; may be empty
 * @param emailVerified whether the owner has shown that the address is theirs
 * @param plan the name of its plan
 * @param role {@code tenant}, {@code operator} or {@code platform}
 * @param pausedReason why it may not send at present, or null where it may
 * @param createdAt when it came to be
 */
public record Account(UUID id, String email, String name, boolean emailVerified, String plan, String role,
		@Nullable String pausedReason, Instant createdAt) {

	/** The account that Mailroom's own mails are sent from. Nobody signs in as it. */
	public static final UUID PLATFORM = UUID.fromString("00000000-0000-7000-8000-000000000001");

	/** Whether it may use the operators' part of the admin face. */
	public boolean operator() {
		return this.role.equals("operator");
	}

}
