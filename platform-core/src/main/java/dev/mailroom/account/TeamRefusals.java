package dev.mailroom.account;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the team feature. */
final class TeamRefusals {

	static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	static final Refusal MEMBER_NOT_FOUND = Refusal.notFound("Member not found");

	static final Refusal INVITATION_NOT_FOUND = Refusal.notFound("Invitation not found");

	static final Refusal DUPLICATE = Refusal.conflict("Duplicate member");

	static final Refusal LAST_OWNER = Refusal.conflict("Last owner");

	private TeamRefusals() {
	}

	static Refused ownersOnly() {
		return FORBIDDEN.because("Only an owner may appoint, change or remove an owner.");
	}

	static Refused founder() {
		return FORBIDDEN.because("The founder's address is that of the account: change the role instead.");
	}

	static Refused lastOwner() {
		return LAST_OWNER.because("The account needs an owner: make another member an owner first.");
	}

	static Refused noMember(UUID id) {
		return MEMBER_NOT_FOUND.because("There is no member " + id + " in this account.");
	}

	static Refused noInvitation(UUID id) {
		return INVITATION_NOT_FOUND.because("There is no invitation " + id + " in this account.");
	}

	/** The message is the same for unknown, used and expired tokens. */
	static Refused invalidToken() {
		return Refusal.INVALID_REQUEST.because(
				"The invitation is unknown, used, withdrawn or expired: ask for another one.",
				List.of(new Refusal.Detail("token", "is unknown, used or expired")));
	}

	static Refused invalidRole() {
		return Refusal.INVALID_REQUEST.because("The request has invalid fields: see details.",
				List.of(new Refusal.Detail("role", "must be owner, admin, developer or viewer")));
	}

}
