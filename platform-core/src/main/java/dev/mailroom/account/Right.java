package dev.mailroom.account;

/**
 * Changes that members make, each with the role that it requires. Reading requires
 * {@link MemberRole#VIEWER}. The apps assign each of their routes and fields to one of
 * these.
 */
public enum Right {

	/** The person's own name, password, second factor and sessions. */
	OWN_SIGN_IN(MemberRole.VIEWER),
	/** Mails: sending, rescheduling, cancelling. */
	SEND(MemberRole.DEVELOPER),
	/** Sending domains. */
	DOMAINS(MemberRole.DEVELOPER),
	/** API keys. */
	API_KEYS(MemberRole.DEVELOPER),
	/** Templates. */
	TEMPLATES(MemberRole.DEVELOPER),
	/** Webhook endpoints and their calls. */
	WEBHOOKS(MemberRole.DEVELOPER),
	/** Contact books and contacts. */
	CONTACTS(MemberRole.ADMIN),
	/** Campaigns. */
	CAMPAIGNS(MemberRole.ADMIN),
	/** Suppressions. */
	SUPPRESSIONS(MemberRole.ADMIN),
	/** Brand of the account for recipients: name, logo, colour, languages. */
	BRAND(MemberRole.ADMIN),
	/** Settings of the account, such as its time zone; also reading its audit log. */
	SETTINGS(MemberRole.ADMIN),
	/** Members and invitations, except owners. */
	MEMBERS(MemberRole.ADMIN),
	/** The plan, owners, and everything that is not listed. */
	ACCOUNT(MemberRole.OWNER);

	private final MemberRole role;

	Right(MemberRole role) {
		this.role = role;
	}

	/** The lowest role that has the right. */
	public MemberRole role() {
		return this.role;
	}

	/** Whether a role has the right. */
	public boolean permits(MemberRole member) {
		return member.includes(this.role);
	}

}
