package dev.mailroom.operator;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.mail.outcome.Standing;
import org.jspecify.annotations.Nullable;

/**
 * An account with the data shown to operators.
 *
 * @param deleteAt time at which it is deleted; null if it stays
 * @param transport relay or mx; null for the platform's
 * @param feedbackTag name of the account in reports of mailbox providers; null until a
 * mail needed it
 * @param dailyLimit mails per day of UTC in place of the plan's; null for the plan's
 * @param monthlyLimit mails per calendar month of UTC in place of the plan's; null for
 * the plan's
 * @param sendRate requests to send per second and instance; null for the platform's
 * setting
 * @param delivered mails accepted by servers in the last seven days
 * @param hardBounced mails refused in these days because the address does not exist
 * @param complained mails reported as spam in these days
 * @param settledToday mails accepted or refused by servers since the last midnight of UTC
 */
public record ManagedAccount(UUID id, String email, String name, String plan, String role, boolean emailVerified,
		@Nullable String pausedReason, @Nullable Instant deleteAt, @Nullable String transport,
		@Nullable String feedbackTag, @Nullable Long dailyLimit, @Nullable Long monthlyLimit,
		@Nullable Integer sendRate, long delivered, long hardBounced, long complained, long settledToday,
		Instant createdAt) implements Page.Item {

	/** The counts of the last seven days. */
	public Reputations.Figures week() {
		return new Reputations.Figures(this.delivered, this.hardBounced, this.complained);
	}

	/** The limits that an operator has set. */
	public Limits limits() {
		return new Limits(this.dailyLimit, this.monthlyLimit, this.sendRate);
	}

	/** The worse standing of the rates of the last seven days. */
	public Standing standing() {
		Standing bounces = Standing.Threshold.BOUNCE.of(week().bounceRate());
		Standing complaints = Standing.Threshold.COMPLAINT.of(week().complaintRate());
		return (bounces.compareTo(complaints) >= 0) ? bounces : complaints;
	}

	/**
	 * Selects the accounts of a list; null conditions are not applied.
	 *
	 * @param search an id, a feedback tag, or part of the address or of the name,
	 * regardless of case
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

	/**
	 * Limits of one account; null for those of its plan or of the platform.
	 *
	 * @param dailyLimit mails per day of UTC
	 * @param monthlyLimit mails per calendar month of UTC
	 * @param sendRate requests to send per second and instance
	 */
	public record Limits(@Nullable Long dailyLimit, @Nullable Long monthlyLimit, @Nullable Integer sendRate) {
	}

	/** A note about an account. */
	public record Note(UUID id, UUID accountId, UUID authorId, String note, Instant createdAt) {
	}

}
