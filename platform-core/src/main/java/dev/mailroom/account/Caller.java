package dev.mailroom.account;

import java.util.Set;
import java.util.UUID;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated caller of a request. It does not hold the credential.
 *
 * @param scope the account and, for an API key, the key and its domain, if it has one
 * @param kind the kind of credential
 * @param role the role of the account as far as the credential states it
 * @param member the role of a person in the account; not used for API keys
 * @param session id of the session of a person who signed in; null for other credentials
 * @param permissions the permissions of an API key, such as {@code send}; empty for a
 * person
 */
public record Caller(Scope scope, Kind kind, Role role, MemberRole member, @Nullable UUID session,
		Set<String> permissions) {

	/** Kinds of callers. */
	public enum Kind {

		/** A person with an access token of Mailroom or of the outside issuer. */
		PERSON,
		/** A program with an API key. */
		API_KEY

	}

	/** Roles of an account. */
	public enum Role {

		/** Uses its own account only. */
		TENANT,
		/** May also use the operators' part of the admin app. */
		OPERATOR,
		/** May only set up the second factor that its role requires. */
		ENROLLING

	}

	public Caller {
		permissions = Set.copyOf(permissions);
	}

	static Caller person(AccessTokens.Claims claims) {
		return new Caller(claims.scope(), Kind.PERSON, role(claims.grant()), claims.role(), claims.session(), Set.of());
	}

	private static Role role(AccessTokens.Grant grant) {
		return switch (grant) {
			case ACCOUNT -> Role.TENANT;
			case OPERATOR -> Role.OPERATOR;
			case ENROLMENT -> Role.ENROLLING;
		};
	}

	/** A person whose token does not state a role. */
	static Caller person(Membership member) {
		return new Caller(member.scope(), Kind.PERSON, Role.TENANT, member.role(), null, Set.of());
	}

	static Caller apiKey(ApiKey key) {
		return new Caller(key.scope(), Kind.API_KEY, Role.TENANT, MemberRole.VIEWER, null,
				Set.copyOf(key.permissions()));
	}

	/** Whether the caller is a person whose role has a right. */
	public boolean has(Right right) {
		return isPerson() && this.role != Role.ENROLLING && right.permits(this.member);
	}

	/**
	 * Whether the caller is a program with a permission, or with one that includes it.
	 */
	public boolean has(Permission permission) {
		return this.kind == Kind.API_KEY && permission.isHeldBy(this.permissions);
	}

	/** Whether the caller is a program with a key of the whole account. */
	public boolean isAccountKey() {
		return this.kind == Kind.API_KEY && this.scope.domain() == null;
	}

	/** Whether the caller is a person. */
	public boolean isPerson() {
		return this.kind == Kind.PERSON;
	}
}
