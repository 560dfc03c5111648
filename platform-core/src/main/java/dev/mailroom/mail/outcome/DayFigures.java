package dev.mailroom.mail.outcome;

import java.time.LocalDate;

/**
 * Numbers of mails by result that were first settled on a day of UTC.
 *
 * @param sent accepted by a relay that is not the final destination
 * @param hardBounced refused because the address does not exist
 */
public record DayFigures(LocalDate day, long delivered, long sent, long hardBounced, long complained) {
}
