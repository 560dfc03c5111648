package dev.mailroom.mail.log;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The content of a mail; it is deleted before the mail itself.
 *
 * @param html null if there is none
 * @param text null if there is none
 * @param headers further headers
 * @param attachmentCount number of attachments
 */
public record MailText(@Nullable String html, @Nullable String text, Map<String, Object> headers, int attachmentCount) {
}
