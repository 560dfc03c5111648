package dev.mailroom.inbound;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An address to which routes of an account may forward mail.
 *
 * @param confirmed whether mail is forwarded to it: its owner has confirmed, or it is at
 * a verified domain of the account
 * @param confirmedAt when its owner confirmed; null before
 */
public record ForwardTarget(UUID id, UUID accountId, String address, boolean confirmed, @Nullable Instant confirmedAt,
		Instant createdAt) {
}
