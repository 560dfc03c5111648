package dev.mailroom.contact;

/** How many contacts came of a call. */
public record Tally(long added, long updated) {
}
