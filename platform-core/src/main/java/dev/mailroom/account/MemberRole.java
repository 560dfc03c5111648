package dev.mailroom.account;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Roles of members, in ascending order: each permits what the roles before it permit. */
public enum MemberRole {

	/** Reads. */
	VIEWER,
	/** Sends, and manages domains, API keys, templates and webhooks. */
	DEVELOPER,
	/** Manages contacts, campaigns, suppressions, the brand, settings and members. */
	ADMIN,
	/** Manages the plan and the owners. */
	OWNER;

	/** The role with a name of the contract; empty if there is none. */
	public static Optional<MemberRole> parse(@Nullable String contractName) {
		return Arrays.stream(values()).filter((role) -> role.contractName().equals(contractName)).findFirst();
	}

	/** The name in the database and in the API. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Whether this role permits what another one permits. */
	public boolean includes(MemberRole other) {
		return compareTo(other) >= 0;
	}

}
