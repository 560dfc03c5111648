package dev.mailroom.operation;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.reputation.Figures;
import dev.mailroom.reputation.Standing;
import org.jspecify.annotations.Nullable;

/**
 * An account as operators see it.
 *
 * @param transport relay or mx; null for the platform's
 * @param delivered mails accepted by servers in the last seven days
 * @param hardBounced mails refused in these days because the address does not exist
 * @param complained mails reported as spam in these days
 * @param settledToday mails accepted or refused by servers since the last midnight of UTC
 */
public record ManagedAccount(UUID id, String email, String name, String plan, String role, boolean emailVerified,
		@Nullable String pausedReason, @Nullable String transport, long delivered, long hardBounced, long complained,
		long settledToday, Instant createdAt) {

	/** The counts of the last seven days. */
	public Figures week() {
		return new Figures(this.delivered, this.hardBounced, this.complained);
	}

	/** The worse standing of the rates of the last seven days. */
	public Standing standing() {
		Standing bounces = Standing.Threshold.BOUNCE.of(week().bounceRate());
		Standing complaints = Standing.Threshold.COMPLAINT.of(week().complaintRate());
		return (bounces.compareTo(complaints) >= 0) ? bounces : complaints;
	}

	/** The position in lists. */
	public Page.Cursor cursor() {
		return new Page.Cursor(this.createdAt, this.id);
	}

	/**
	 * Selects the accounts of a list; null conditions are not applied.
	 *
	 * @param search an id, or part of the address or of the name, regardless of case
	 * @param plan name of the plan
	 * @param paused whether sending is paused
	 * @param atRisk whether a rate of the last seven days is above its healthy limit
	 */
	public record Filter(@Nullable String search, @Nullable String plan, @Nullable Boolean paused,
			@Nullable Boolean atRisk) {

		public Filter {
			search = Optional.ofNullable(search)
				.filter((text) -> !text.isBlank())
				.map((text) -> text.strip().toLowerCase(Locale.ROOT).replace('\0', '\uFFFD'))
				.orElse(null);
		}
	}

	/** A note about an account. */
	public record Note(UUID id, UUID accountId, UUID authorId, String note, Instant createdAt) {
	}

}
