package dev.mailroom.accept;

/**
 * Told once for each group of mails that was committed.
 *
 * @param stream {@code transactional} or {@code campaign}
 * @param count how many mails
 */
public record Accepted(String stream, int count) {
}
