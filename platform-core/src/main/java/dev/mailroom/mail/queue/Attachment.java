package dev.mailroom.mail.queue;

import org.jspecify.annotations.Nullable;

/**
 * An attachment of a mail.
 *
 * @param contentId the id by which the HTML refers to it; null if it is not shown inline
 */
public record Attachment(String filename, String contentType, @Nullable String contentId, byte[] content) {
}
