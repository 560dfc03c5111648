package dev.mailroom.accept;

/**
 * Application event, published once for each group of mails that was committed.
 *
 * @param stream {@code transactional} or {@code campaign}
 * @param count number of mails
 */
public record Accepted(String stream, int count) {
}
