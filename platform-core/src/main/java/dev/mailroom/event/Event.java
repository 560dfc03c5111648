package dev.mailroom.event;

import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened.
 *
 * @param kind such as {@code email.delivered}
 * @param emailId the mail it happened to, or null where it is of none
 * @param data what is worth knowing of it
 */
public record Event(UUID accountId, String kind, @Nullable UUID emailId, Map<String, Object> data) {
}
