package dev.mailroom.account;

import java.util.UUID;

import dev.mailroom.Scope;

/** The account that a person uses, with the person's role in it. */
public record Membership(UUID person, UUID account, MemberRole role) {

	/** The account as the person may use it. */
	public Scope scope() {
		return Scope.of(this.account).by(this.person);
	}

}
