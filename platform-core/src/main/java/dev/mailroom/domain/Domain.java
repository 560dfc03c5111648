package dev.mailroom.domain;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A sending domain.
 *
 * @param status pending, verified, failed or temporary_failure
 * @param records what DNS must say, and whether it did when last looked at
 * @param verifiedAt when it was first verified; null before
 */
public record Domain(UUID id, UUID accountId, String name, String status, List<DnsRecord> records, boolean openTracking,
		boolean clickTracking, Instant createdAt, @Nullable Instant verifiedAt) {

	/** A domain's id and name. */
	public record Named(UUID id, String name) {
	}

	/** What is to be changed; null leaves as it is. */
	public record Change(@Nullable Boolean openTracking, @Nullable Boolean clickTracking) {
	}

}
