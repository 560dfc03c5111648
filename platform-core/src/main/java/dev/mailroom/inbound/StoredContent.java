package dev.mailroom.inbound;

import org.jspecify.annotations.Nullable;

/**
 * What a row holds of something.
 *
 * @param content null where it lies in the bucket
 */
record StoredContent(String name, String type, byte @Nullable [] content) {
}
