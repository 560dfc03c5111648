package dev.mailroom.trackingdomain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * A name of an account for the links in the mails of a sending domain.
 *
 * @param domainId the sending domain
 * @param target the host to which a CNAME record of the name must lead
 * @param error what the last check found; null if all was well
 * @param checkedAt time of the last check; null before the first
 * @param failingSince since when it fails; null if it does not
 * @param used whether new mails of the sending domain have the name
 */
public record TrackingDomain(UUID id, UUID accountId, UUID domainId, String name, State state, String target,
		@Nullable String error, Instant createdAt, @Nullable Instant checkedAt, @Nullable Instant failingSince,
		boolean used) {

	/** The event that reports that new mails no longer have the name. */
	Event failed() {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("name", this.name);
		data.put("domain_id", this.domainId);
		data.put("state", this.state.contractName());
		data.put("error", this.error);
		data.put("failing_since",
				(this.failingSince != null) ? this.failingSince.truncatedTo(ChronoUnit.MILLIS) : null);
		return new Event(this.accountId, EventKind.TRACKING_DOMAIN_FAILED, null, data);
	}

	/** State of a name. */
	public enum State {

		/** DNS does not lead here yet. */
		PENDING,
		/** DNS leads here; HTTPS does not yet. */
		DNS_OK,
		/** New mails have the name. */
		ACTIVE,
		/** Was active; DNS or HTTPS no longer leads here. */
		FAILING;

		/** The value in JSON and in the database. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

		static State of(String contractName) {
			return valueOf(contractName.toUpperCase(Locale.ROOT));
		}

		/** The state after a check. */
		State after(TrackingFinding finding) {
			boolean was = this == ACTIVE || this == FAILING;
			return switch (finding) {
				case TrackingFinding.Reached _ -> ACTIVE;
				case TrackingFinding.Unreached _ -> was ? FAILING : DNS_OK;
				case TrackingFinding.Elsewhere _ -> was ? FAILING : PENDING;
				case TrackingFinding.Unknown _ -> this;
			};
		}

	}

	/** A name that is due for a check. */
	public record Due(UUID id, UUID accountId, String name) {
	}

}
