package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

/**
 * A person's membership of an account.
 *
 * @param id the person
 * @param role contract's name of a {@link MemberRole}
 * @param createdAt time at which the person joined
 */
public record Member(UUID id, UUID accountId, String role, Instant createdAt) {

	/** The role. */
	public MemberRole memberRole() {
		return MemberRole.parse(this.role).orElseThrow();
	}
}
