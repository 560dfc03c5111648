package dev.mailroom.inbound;

import org.jspecify.annotations.Nullable;

/**
 * A row with a mail or an attachment.
 *
 * @param content the bytes; null if they are stored in the bucket
 */
record StoredContent(String name, String type, byte @Nullable [] content) {
}
