package dev.mailroom.audit;

/** Changes that are recorded. */
public enum Act {

	API_KEY_CREATED("api_key.created"), API_KEY_CHANGED("api_key.changed"), API_KEY_REVOKED("api_key.revoked"),

	DOMAIN_CREATED("domain.created"), DOMAIN_CHANGED("domain.changed"), DOMAIN_DELETED("domain.deleted"),
	DKIM_ROTATED("domain.dkim_rotated"), DOMAIN_WARMUP_STARTED("domain.warmup_started"),
	DOMAIN_WARMUP_STOPPED("domain.warmup_stopped"),

	TRACKING_DOMAIN_CREATED("tracking_domain.created"), TRACKING_DOMAIN_DELETED("tracking_domain.deleted"),
	HOSTED_POLICY_CHOSEN("hosted_policy.chosen"), HOSTED_POLICY_REMOVED("hosted_policy.removed"),

	WEBHOOK_CREATED("webhook.created"), WEBHOOK_CHANGED("webhook.changed"), WEBHOOK_DELETED("webhook.deleted"),
	WEBHOOK_SECRET_ROTATED("webhook.secret_rotated"),

	INBOUND_ROUTE_CREATED("inbound_route.created"), INBOUND_ROUTE_CHANGED("inbound_route.changed"),
	INBOUND_ROUTE_DELETED("inbound_route.deleted"), INBOUND_ROUTES_ORDERED("inbound_route.ordered"),
	FORWARD_TARGET_CREATED("forward_target.created"), FORWARD_TARGET_ASKED("forward_target.asked"),
	FORWARD_TARGET_DELETED("forward_target.deleted"),

	BRAND_CHANGED("brand.changed"),

	ACCOUNT_RENAMED("account.renamed"), TIME_ZONE_CHANGED("account.time_zone_changed"),
	PASSWORD_CHANGED("account.password_changed"), SESSION_ENDED("account.session_ended"),
	SECOND_FACTOR_ADDED("account.second_factor_added"), SECOND_FACTOR_REMOVED("account.second_factor_removed"),
	REGISTRATIONS_CLOSED("account.registrations_closed"),

	MEMBER_INVITED("member.invited"), INVITATION_WITHDRAWN("member.invitation_withdrawn"),
	MEMBER_JOINED("member.joined"), MEMBER_CHANGED("member.changed"), MEMBER_REMOVED("member.removed"),
	NOTICES_CHOSEN("member.notices_chosen"),

	ACCOUNT_SUSPENDED("account.suspended"), ACCOUNT_RESUMED("account.resumed"),
	ACCOUNT_PLAN_CHANGED("account.plan_changed"), ACCOUNT_LIMITS_CHANGED("account.limits_changed"),
	ACCOUNT_TRANSPORT_CHOSEN("account.transport_chosen"), ACCOUNT_NOTE_ADDED("account.note_added"),
	ACCOUNT_WATCHED("account.watched"), ACCOUNT_WATCH_ENDED("account.watch_ended"),
	ACCOUNT_MOVE_BEGUN("account.move_begun"), ACCOUNT_MOVE_UNDONE("account.move_undone"),
	ACCOUNT_MOVED("account.moved"), ACCOUNT_ARRIVED("account.arrived"),
	ACCOUNT_DELETION_ASKED("account.deletion_asked"), ACCOUNT_DELETION_CANCELLED("account.deletion_cancelled"),
	ACCOUNT_ERASED("account.erased"), ACCOUNT_EXPORTED("account.exported"),

	MAIL_SEARCHED("mail.searched"), MAIL_READ("mail.read"),

	DEAD_LETTER_REQUEUED("dead_letter.requeued"), DEAD_LETTER_DISMISSED("dead_letter.dismissed"),

	PLAN_SAVED("plan.saved"),

	ADDRESS_CHECKED("address.checked"),

	PROFILE_SAVED("profile.saved"), PROFILE_RESET("profile.reset"), SITE_PAUSED("site.paused"),
	SITE_FORGOTTEN("site.forgotten"),

	SOURCE_SAVED("source.saved"), SOURCE_REMOVED("source.removed"), POOL_SAVED("pool.saved"),
	POOL_REMOVED("pool.removed"), POOL_CHOSEN("pool.chosen"), SOURCE_WARMUP_STARTED("source.warmup_started"),
	SOURCE_WARMUP_STOPPED("source.warmup_stopped"),

	DESTINATION_HELD("destination.held"), DESTINATION_RELEASED("destination.released"),

	QUEUE_PAUSED("queue.paused"), QUEUE_RESUMED("queue.resumed"),

	AUDIT_EXPORTED("audit.exported");

	private final String contractName;

	Act(String contractName) {
		this.contractName = contractName;
	}

	/** The name in the database. */
	public String contractName() {
		return this.contractName;
	}

}
