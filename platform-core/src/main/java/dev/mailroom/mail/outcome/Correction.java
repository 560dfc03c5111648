package dev.mailroom.mail.outcome;

import java.time.LocalDate;

/**
 * A change to the counts of an earlier day. Late feedback corrects the day on which the
 * mail was first counted.
 *
 * @param day day of UTC
 * @param change 1, or -1 if the mail no longer belongs to this metric
 * @param verified false for a report whose sender is not known
 */
public record Correction(ReputationCount count, LocalDate day, int change, boolean verified) {
}
