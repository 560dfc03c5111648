package dev.mailroom.worker.transport;

import dev.mailroom.outcome.Attempt;
import dev.mailroom.outcome.Outcome;

/** What came of handing a mail over, and how it went. */
public record HandOverResult(Outcome outcome, Attempt attempt) {
}
