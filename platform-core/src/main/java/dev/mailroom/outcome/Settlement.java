package dev.mailroom.outcome;

/** What came of one hand-over. */
public record Settlement(HandOver handOver, Outcome outcome) {
}
