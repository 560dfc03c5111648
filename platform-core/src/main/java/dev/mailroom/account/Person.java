package dev.mailroom.account;

import java.time.Instant;
import java.util.UUID;

/**
 * A person of a team.
 *
 * @param role contract's name of the role
 * @param founder whether the account has the person's address
 * @param createdAt time at which the person joined
 */
public record Person(UUID id, String email, String name, String role, boolean founder, Instant createdAt) {

	static Person of(Member member, Account account) {
		return new Person(member.id(), account.email(), account.name(), member.role(),
				member.id().equals(member.accountId()), member.createdAt());
	}
}
