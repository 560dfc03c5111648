package dev.mailroom.campaign;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled campaign whose time has come.
 *
 * @param late for how many milliseconds
 * @param started whether it ran before
 * @param verified whether the owner's address is
 * @param accountPaused why the account may not send at present; null where it may
 * @param sendable whether its domain may still be sent from
 * @param contacts whether its book has anybody who is subscribed
 */
record DueCampaign(UUID id, UUID accountId, UUID domainId, long late, boolean started, boolean verified,
		@Nullable String accountPaused, boolean sendable, boolean contacts) {

	Scope scope() {
		return Scope.of(this.accountId);
	}

	/** Why it is paused and does not run; empty where it runs. */
	Optional<String> hindrance(Duration maxLateness) {
		if (this.late > maxLateness.toMillis()) {
			return Optional.of("Its time passed more than " + words(maxLateness)
					+ " ago without its being started: resume it to send it now, or schedule it anew");
		}
		if (this.accountPaused != null) {
			return Optional.of(CampaignPauses.reason(this.accountPaused));
		}
		if (!this.verified) {
			return Optional.of("The account's e-mail address is not verified");
		}
		if (!this.sendable) {
			return Optional.of("Its domain is no longer verified");
		}
		return (this.started || this.contacts) ? Optional.empty()
				: Optional.of("Its contact book has nobody who is subscribed");
	}

	private static String words(Duration duration) {
		long hours = duration.toHours();
		return (hours > 0) ? hours + " hours" : duration.toMinutes() + " minutes";
	}

}
