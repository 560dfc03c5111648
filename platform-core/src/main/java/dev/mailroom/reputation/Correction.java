package dev.mailroom.reputation;

import java.time.LocalDate;

/**
 * What is learnt later of a mail that was counted on an earlier day: that day's figures
 * change, so that its rates are those of the mails that went out on it.
 *
 * @param day of UTC
 * @param by 1, or -1 where the mail is no longer what it was counted as
 */
public record Correction(ReputationCount mark, LocalDate day, int by) {
}
