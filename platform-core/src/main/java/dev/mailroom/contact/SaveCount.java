package dev.mailroom.contact;

/** How many contacts came of a call. */
public record SaveCount(long added, long updated) {
}
