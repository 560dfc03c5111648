package dev.mailroom.reputation;

import java.time.LocalDate;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Of what the reputation is asked; null leaves open.
 *
 * @param domainId only this domain
 * @param from the first day of UTC
 * @param to the last day of UTC
 */
public record ReportPeriod(@Nullable UUID domainId, @Nullable LocalDate from, @Nullable LocalDate to) {
}
