package dev.mailroom.campaign;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled campaign whose time has come.
 *
 * @param latenessMillis milliseconds since {@code send_at}
 * @param started whether the campaign has run before
 * @param accountVerified whether the owner's address is verified
 * @param accountPausedReason why the account may not send at present; null if it may
 * @param domainVerified whether the account may still send from the campaign's domain
 * @param hasSubscribers whether the contact book has a subscribed contact
 */
record DueCampaign(UUID id, UUID accountId, UUID domainId, long latenessMillis, boolean started,
		boolean accountVerified, @Nullable String accountPausedReason, boolean domainVerified, boolean hasSubscribers) {

	static final String DOMAIN_NOT_VERIFIED = "Its domain is no longer verified";

	/** The reason to pause the campaign; empty if it may start. */
	Optional<String> reasonToPause(Duration maxLateness) {
		if (this.latenessMillis > maxLateness.toMillis()) {
			return Optional.of("Its time passed more than " + text(maxLateness)
					+ " ago without it being started: resume it to send it now, or schedule it again");
		}
		if (this.accountPausedReason != null) {
			return Optional.of(accountPaused(this.accountPausedReason));
		}
		if (!this.accountVerified) {
			return Optional.of("The account's e-mail address is not verified");
		}
		if (!this.domainVerified) {
			return Optional.of(DOMAIN_NOT_VERIFIED);
		}
		return (this.started || this.hasSubscribers) ? Optional.empty()
				: Optional.of("Its contact book has no subscribed contact");
	}

	/** The reason shown at a campaign that is paused because its account is. */
	static String accountPaused(String reason) {
		return "Sending is paused for this account: " + reason;
	}

	private static String text(Duration duration) {
		long hours = duration.toHours();
		return (hours > 0) ? hours + " hours" : duration.toMinutes() + " minutes";
	}

	/** Identifies a due campaign. */
	record Key(UUID id, UUID accountId) {

		Scope scope() {
			return Scope.of(this.accountId);
		}

	}

}
