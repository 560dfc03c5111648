package dev.mailroom.queue;

import org.jspecify.annotations.Nullable;

/**
 * A file that goes with a mail.
 *
 * @param contentId by which the HTML names it; null where it is not shown inline
 */
public record Attachment(String filename, String contentType, @Nullable String contentId, byte[] content) {
}
