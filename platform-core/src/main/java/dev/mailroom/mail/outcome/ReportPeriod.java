package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Period and domain of a report; null means no limit.
 *
 * @param domainId the only domain included
 * @param from first day of UTC
 * @param to last day of UTC
 */
public record ReportPeriod(@Nullable UUID domainId, @Nullable LocalDate from, @Nullable LocalDate to) {
}
