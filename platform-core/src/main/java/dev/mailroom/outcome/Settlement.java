package dev.mailroom.outcome;

/** What came of one delivery that a worker held. */
public record Settlement(Lease lease, Outcome outcome) {
}
