package dev.mailroom.account;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** Events of an account of which its members can be told by mail. */
public enum NoticeKind {

	/** A domain lost a DNS record that its mail needs. */
	DOMAIN_LOST(MemberRole.ADMIN),
	/** A tracking domain no longer leads here. */
	TRACKING_DOMAIN_FAILED(MemberRole.ADMIN),
	/** A webhook endpoint was switched off. */
	WEBHOOK_DISABLED(MemberRole.DEVELOPER),
	/** An API key expires within a week, or within a day. */
	API_KEY_EXPIRES(MemberRole.DEVELOPER),
	/** 80 % of the emails of a day or month are used. */
	QUOTA_WARNING(MemberRole.ADMIN),
	/** The emails of a day or month are used up. */
	QUOTA_REACHED(MemberRole.ADMIN),
	/** Sending was paused for bounces or complaints, or by an operator. */
	ACCOUNT_PAUSED(MemberRole.ADMIN),
	/** A campaign was sent. */
	CAMPAIGN_SENT(null);

	private final @Nullable MemberRole role;

	NoticeKind(@Nullable MemberRole role) {
		this.role = role;
	}

	/** The name in the database. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Whether members with a role are told unless they choose otherwise. */
	boolean isDefaultOf(MemberRole member) {
		return this.role != null && member.includes(this.role);
	}

	static Set<NoticeKind> defaultsOf(MemberRole member) {
		Set<NoticeKind> kinds = EnumSet.allOf(NoticeKind.class);
		kinds.removeIf((kind) -> !kind.isDefaultOf(member));
		return kinds;
	}

	/** The kinds with these names; unknown ones are left out. */
	static Set<NoticeKind> of(Collection<String> names) {
		Set<NoticeKind> kinds = EnumSet.allOf(NoticeKind.class);
		kinds.removeIf((kind) -> !names.contains(kind.contractName()));
		return kinds;
	}

	static String[] names(Collection<NoticeKind> kinds) {
		return Arrays.stream(values()).filter(kinds::contains).map(NoticeKind::contractName).toArray(String[]::new);
	}

}
