package dev.mailroom.worker.transport;

import dev.mailroom.outcome.Attempt;
import dev.mailroom.outcome.Outcome;

/** Outcome of handing a mail over, with the record of the attempt. */
public record HandOverResult(Outcome outcome, Attempt attempt) {
}
