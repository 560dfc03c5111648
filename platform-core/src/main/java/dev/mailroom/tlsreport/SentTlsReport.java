package dev.mailroom.tlsreport;

import java.time.Instant;
import java.time.LocalDate;

import org.jspecify.annotations.Nullable;

/**
 * A report that was sent to the domain of recipients, or is to be.
 *
 * @param day day of UTC
 * @param state waiting, sending, sent, failed or lost
 * @param destination address or URL of the last attempt; null before one
 * @param error reason of the last failure; null if there is none
 * @param successful number of sessions that satisfied the policies; null before it is
 * sent
 * @param failed number of sessions that did not; null before it is sent
 * @param finishedAt when it was sent or given up; null before
 */
public record SentTlsReport(String domain, LocalDate day, String state, int attempts, @Nullable String destination,
		@Nullable String error, @Nullable Long successful, @Nullable Long failed, @Nullable Instant finishedAt) {
}
